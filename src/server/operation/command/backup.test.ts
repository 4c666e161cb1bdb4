import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../../test/eventually.ts';
import {
  createPostgresDatabase,
  type Engine,
  engines,
  Forum,
} from '../../../../test/forum/forum.ts';
import { outcomeOf, runTertulia } from '../../../../test/processes/program.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';
import { ServerProcess, startsWithinMs } from '../../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { withLock } from '../../database/locks/locks.ts';
import { backupFolder, dailyBackups, dailyName, isBackupDue } from '../backups/backup-folder.ts';

/** Runs a program in its own terminal. */
const script = '/usr/bin/script';
const noScript = !existsSync(script) && `${script} is not installed`;

for (const engine of engines) {
  describe(`the commands for backups (${engine})`, () => {
    let forum: Forum;
    let folder: string;
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'tertulia-commands-'));
      forum = await Forum.start(engine);
    });
    after(async () => {
      await forum?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    test('back up a server under writes, verify the backup, and restore it', async () => {
      const author = await forum.person();
      const channel = await forum.channel(author);

      const file = path.join(folder, 'made.tar');
      let isMade = false;
      const making = outcomeOf(runTertulia(forum.dataSettings, 'backup', file)).finally(() => {
        isMade = true;
      });
      let written = 0;
      while (!isMade) await forum.comment(author, channel._id, `comentario ${++written}`);
      const made = await making;
      assert.equal(made.code, 0, made.said);
      const database = engine === 'sqlite' ? 'SQLite file /' : 'PostgreSQL database \\w+ on 127';
      assert.match(made.said, new RegExp(`^Reading the ${database}.* and the folder /`, 'm'));
      assert.doesNotMatch(made.said, /postgres:\/\/|password/);

      const verified = await runCommand(forum.dataSettings, 'backup', '--verify', file);
      assert.equal(verified.code, 0, verified.said);

      const empty = await emptyTarget(engine, folder);
      try {
        const restored = await runCommand(empty.env, 'restore', file);
        assert.equal(restored.code, 0, restored.said);
        assert.match(restored.said, /Sessions and links .* were left out/);
        // The channel's count and its comments come from one snapshot.
        const again = await Forum.start(engine, empty.env);
        const found = await again.services.db.selectFrom('comments').selectAll().execute();
        const kept = await again.services.db.selectFrom('channels').selectAll().executeTakeFirst();
        await again.stop();
        assert.equal(found.length, kept?.comment_count);
        assert.ok(found.length <= written);

        const refused = await runCommand(empty.env, 'restore', file);
        assert.equal(refused.code, 1);
        assert.match(refused.said, /into an empty database and image store only/);
        assert.doesNotMatch(refused.said, /at .*\.ts/);
      } finally {
        await empty.drop();
      }
    });

    test('remove the files of a killed backup, but not while another backup runs', async () => {
      const backups = path.join(forum.services.config.dataDir, 'backups');
      const time = '2026-01-01T00-00-00-000Z';
      const left = [`tertulia-${time}.tar.part`, `daily-${time}.tar.part`];
      const others = [`before-998-long-${time}.tar.part`, 'mine.tar.part'];
      await mkdir(backups, { recursive: true });
      for (const name of [...left, ...others]) await writeFile(path.join(backups, name), '');
      const file = path.join(folder, 'again.tar');
      const isThere = async (name: string) => (await readdir(backups)).includes(name);
      const made = await withLock(forum.services, async () => {
        const program = runTertulia(forum.dataSettings, 'backup', file);
        const making = outcomeOf(program);
        const { stdout } = program;
        assert.ok(stdout);
        await once(stdout, 'data');
        for (const name of left) assert.ok(await isThere(name));
        return { making };
      });
      const { code, said } = await made.making;
      assert.equal(code, 0, said);
      for (const name of left) assert.ok(!(await isThere(name)), name);
      for (const name of others) assert.ok(await isThere(name), name);
      await rm(backups, { recursive: true });
    });

    test('refuse a database of a newer version, whose tables this one does not know', async () => {
      const { db } = forum.services;
      const name = '999-next';
      await sql`insert into kysely_migration values (${name}, 'now')`.execute(db);
      try {
        const file = path.join(folder, 'newer.tar');
        const { code, said } = await runCommand(forum.dataSettings, 'backup', file);
        assert.equal(code, 4, said);
        assert.match(said, /of another version of tertulia.* went through 999-next/);
        const left = (await readdir(folder)).filter((one) => one.startsWith('newer'));
        assert.deepEqual(left, []);
      } finally {
        await sql`delete from kysely_migration where name = ${name}`.execute(db);
      }
    });

    test('try to restore a backup, of which nothing is left', async () => {
      const tried = path.join(folder, 'tried');
      const file = path.join(tried, 'site.tar');
      await runCommand(forum.dataSettings, 'backup', file);
      // A killed trial left this file.
      await mkdir(path.join(tried, 'trial-restore'));
      await writeFile(path.join(tried, 'trial-restore', 'tertulia.db'), 'left');
      const restored = await runCommand({}, 'backup', '--verify', '--restore', file);
      assert.equal(restored.code, 0, restored.said);
      assert.match(restored.said, /site\.tar of \S+ is verified and can be restored: \d+ rows/);
      assert.deepEqual(await readdir(tried), ['site.tar']);
    });

    test('name the damaged part of a backup', async () => {
      const file = path.join(folder, 'damaged.tar');
      await runCommand(forum.dataSettings, 'backup', file);
      const bytes = await readFile(file);
      bytes[bytes.indexOf('Lucía')] = 0x4d;
      await writeFile(file, bytes);
      const { code, said } = await runCommand(forum.dataSettings, 'backup', '--verify', file);
      assert.equal(code, 1);
      assert.match(said, /rows\/accounts does not match its checksum/);
    });
  });
}

test('a server whose daily backup fails logs it, and serves', async () => {
  await using dataDir = await temporaryFolder('daily');
  const env = { DATA_DIR: dataDir.path, BACKUP_KEEP: '2' };
  await (await Forum.start('sqlite', env)).stop();
  await writeFile(path.join(dataDir.path, 'backups'), 'not a folder');
  await using server = await ServerProcess.start(env);
  await eventually(
    'the failure is logged',
    async () => server.logged(/^backup failed; it is repeated/).length > 0,
    startsWithinMs,
  );
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
});

test('commands that read a site never create a database', async () => {
  await using folder = await temporaryFolder('wrong');
  const file = path.join(folder.path, 'tertulia.db');
  for (const [content, code] of [
    [undefined, 4],
    ['', 4],
  ] as const) {
    if (content !== undefined) await writeFile(file, content);
    const before = await readdir(folder.path);
    const backedUp = await runCommand({ DATA_DIR: folder.path }, 'backup');
    assert.equal(backedUp.code, code, backedUp.said);
    assert.match(backedUp.said, /it (does not exist|has no tables).*--env-file FILE/);
    await runCommand({ DATA_DIR: folder.path }, 'admin', 'accounts');
    await runCommand({ DATA_DIR: folder.path }, 'doctor');
    assert.deepEqual(await readdir(folder.path), before);
  }
  assert.equal((await stat(file)).size, 0);
});

test('tertulia backup --daily makes one verified backup a day and keeps BACKUP_KEEP of them', async () => {
  await using forum = await Forum.start('sqlite');
  assert.equal(await isBackupDue(forum.services, Date.now()), false, 'the server makes none');
  const daily = (env = {}) => runCommand({ ...forum.dataSettings, ...env }, 'backup', '--daily');
  const beganMs = Date.now();
  const made = await daily();
  assert.equal(made.code, 0, made.said);
  const [, file = ''] = /^(\S+daily-\S+\.tar) is made and verified/m.exec(made.said) ?? [];
  assert.ok((await stat(file)).size > 0);
  const { lastBackup } = await forum.json<{ lastBackup: string }>('GET', '/readyz?all');
  assert.ok(Date.parse(lastBackup) >= beganMs);

  const again = await daily({ BACKUP_KEEP: '2' });
  assert.equal(again.code, 0);
  assert.match(again.said, /^There is already a daily backup/m);
  const dailies = async () => (await dailyBackups(forum.services)).map(({ name }) => name);
  assert.deepEqual(await dailies(), [path.basename(file)]);

  // Replace the backup with older ones.
  await rm(file);
  const older = [1, 2, 3].map((day) => dailyName(forum.services, Date.UTC(2025, 0, day)));
  for (const name of [...older, 'mine.tar']) {
    await writeFile(path.join(path.dirname(file), name), '');
  }
  assert.equal((await daily({ BACKUP_KEEP: '2' })).code, 0);
  const [oldest, newest, ...others] = await dailies();
  assert.deepEqual([oldest, others], [older[2], []]);
  assert.ok(newest && newest > path.basename(file));
  assert.ok((await readdir(path.dirname(file))).includes('mine.tar'));

  // The exit code of the unit reports a failure to the operator.
  await rm(path.dirname(file), { recursive: true });
  await writeFile(path.dirname(file), 'not a folder');
  assert.equal((await daily({ BACKUP_KEEP: '2' })).code, 1);
});

test('tertulia backup - writes the archive to standard output and all messages to standard error', async () => {
  await using forum = await Forum.start('sqlite');
  await using folder = await temporaryFolder('piped');
  const file = path.join(folder.path, 'site.tar');
  const piped = runTertulia(forum.dataSettings, 'backup', '-');
  assert.ok(piped.stdout && piped.stderr);
  const [bytes, said, [code]] = await Promise.all([
    buffer(piped.stdout),
    text(piped.stderr),
    once(piped, 'close'),
  ]);
  assert.equal(code, 0, said);
  assert.match(said, /^Reading the SQLite .*\n\d+ rows and 0 image files are in standard output$/m);
  await writeFile(file, bytes);
  assert.equal((await runCommand(forum.dataSettings, 'backup', '--verify', file)).code, 0);

  // More than a pipe buffers.
  await forum.services.db
    .updateTable('accounts')
    .set({ about: 'x'.repeat(1_000_000) })
    .execute();
  const cut = runTertulia(forum.dataSettings, 'backup', '-');
  cut.stdout?.once('data', () => cut.stdout?.destroy());
  assert.ok(cut.stderr);
  const [complaint, [failed]] = await Promise.all([text(cut.stderr), once(cut, 'close')]);
  assert.equal(failed, 1, complaint);
  assert.match(complaint, /^The backup is cut off: standard output does not take it \(EPIPE\)\.$/m);
  assert.deepEqual(await readdir(backupFolder(forum.services.config)).catch(() => []), []);
});

test('tertulia backup - is refused at a terminal', { skip: noScript }, async () => {
  await using forum = await Forum.start('sqlite');
  const command = `${process.execPath} ${path.join(import.meta.dirname, 'main.ts')} backup -`;
  const terminal = spawn(script, ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERTULIA_ENV_FILE: '/dev/null', ...forum.dataSettings },
  });
  const { code, said } = await outcomeOf(terminal);
  assert.equal(code, 2, said);
  assert.match(said, /^tertulia backup - writes the archive to standard output: /);
});

async function emptyTarget(engine: Engine, folder: string) {
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  const env = {
    DATA_DIR: path.join(folder, 'empty'),
    ...(database ? { DATABASE_URL: database.url } : {}),
  };
  return { env, drop: async () => database?.drop() };
}
