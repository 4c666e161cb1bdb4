import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { addCover } from '../../../../test/forum/add-cover.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { outcomeOf, runTertulia } from '../../../../test/processes/program.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/temporary-folder.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { ledgerIn } from '../../privacy/erasure/erasure-ledger.ts';
import { backupFolder, dailyName } from '../backups/backup-folder.ts';

/** Runs a program in its own terminal. */
const script = '/usr/bin/script';
const noScript = !existsSync(script) && `${script} is not installed`;

describe('the commands for backups', () => {
  let forum: Forum;
  let folder: TemporaryFolder;
  let site: Record<string, string>;
  let file: string;
  beforeEach(async () => {
    forum = await Forum.start('sqlite');
    await addCover(forum, 1000);
    site = forum.dataSettings;
    folder = await temporaryFolder('commands');
    file = path.join(folder.path, 'site.tar');
  });
  afterEach(async () => {
    await forum?.stop();
    await folder?.[Symbol.asyncDispose]();
  });

  const run = async (expectedCode: number, env: Record<string, string>, ...args: string[]) => {
    const [name = '', ...more] = args;
    const { code, said } = await runCommand(env, name, ...more);
    assert.equal(code, expectedCode, said);
    assert.doesNotMatch(said, /^ +at /m);
    return said;
  };

  test('say what they read, made, verified and restored, and where a backup may be restored', async () => {
    const made = await run(0, site, 'backup', file);
    assert.match(made, /^Reading the SQLite file \/.* and the folder \//m);
    assert.match(made, /^\d+ rows and 4 image files are in .*site\.tar$/m);
    assert.match(await run(0, {}, 'backup', '--verify', file), /site\.tar of \S+ is verified: /);
    const target = { DATA_DIR: path.join(folder.path, 'target') };
    const restored = await run(0, target, 'restore', file);
    assert.match(restored, /^The site of \S+ is restored\. Start the server\.$/m);
    assert.match(restored, /Sessions, recovery codes and links .* were left out/);
    assert.match(restored, /^There is no ledger of erased accounts: .* erased-accounts\.txt/m);
    assert.match(restored, /^As when the backup was made, everyone can read the community/m);
    const moved = { DATA_DIR: path.join(folder.path, 'moved') };
    await changeSettings(forum, { readers: 'members', contact: 'ana@foro.example' });
    const closed = path.join(folder.path, 'closed.tar');
    await run(0, site, 'backup', closed);
    const kept = await run(0, moved, 'restore', '--keep-sessions', closed);
    assert.match(kept, /^As when the backup was made, only members can read the community\.$/m);
    assert.match(kept, /^Sessions, recovery codes and links to a new password were restored\.$/m);
  });

  test('apply the ledger beside a backup, or another one that is named, and refuse a file that is none', async () => {
    const [ana, eva] = [await forum.person(), await forum.person()];
    await run(0, site, 'backup', file);
    for (const person of [ana, eva]) await askForDeletion(forum, person, 'erase');
    const due = { deletion_at_ms: 1 };
    await forum.services.db.updateTable('accounts').set(due).where('id', '=', ana.id).execute();
    await eraseDueAccounts(forum.services);
    const ledger = ledgerIn(forum.services.ledgerFolder);
    const restore = (code: number, name: string, ...args: string[]) =>
      run(code, { DATA_DIR: path.join(folder.path, name) }, 'restore', ...args, file);

    const copy = path.join(folder.path, 'copy.txt');
    await copyFile(ledger, copy);
    const by =
      /^The ledger of erased accounts \((\S+)\) was applied\. .* erases again: 1; .* requested again: 1; .* cancelled again: 0\./m;
    assert.equal(by.exec(await restore(0, 'named', '--ledger', copy))?.[1], copy);
    const beside = ledgerIn(folder.path);
    await copyFile(ledger, beside);
    assert.equal(by.exec(await restore(0, 'beside'))?.[1], beside);

    const unknown = /^\S+copy\.txt: lines that are not understood, and are left out: 1\./m;
    await appendFile(copy, 'a line of another kind');
    assert.match(await restore(0, 'unknown', '--ledger', copy), unknown);
    assert.match(
      await restore(4, 'wrong', '--ledger', folder.path),
      /cannot be read: .* Nothing was changed\.$/m,
    );

    for (const wrong of [file, `${copy}.bak`]) {
      const refused = await restore(1, 'wrong', '--ledger', wrong);
      assert.match(refused, /is missing or no ledger of erased accounts/);
    }
    assert.equal(existsSync(path.join(folder.path, 'wrong')), false);
  });

  test('restore a backup as a trial and leave nothing behind', async () => {
    await run(0, site, 'backup', file);
    // A killed trial left this file.
    const trial = path.join(folder.path, 'trial-restore');
    await mkdir(trial);
    await writeFile(path.join(trial, 'tertulia.db'), 'left');
    const said = await run(0, {}, 'backup', '--verify', '--restore', file);
    assert.match(said, /site\.tar of \S+ is verified and can be restored: \d+ rows/);
    assert.deepEqual(await readdir(folder.path), ['site.tar']);
  });

  test('name the migration of a newer version', async () => {
    const { db } = forum.services;
    await sql`insert into kysely_migration values ('999-next', 'now')`.execute(db);
    const newer = path.join(folder.path, 'newer.tar');
    const said = await run(4, site, 'backup', newer);
    assert.match(said, /is newer than this version, .* 999-next/);
    assert.deepEqual(await readdir(folder.path), []);
  });

  test('make one daily backup, keep seven where BACKUP_KEEP does not say how many, and fail when there is no place for it', async () => {
    const daily = (code: number) => run(code, site, 'backup', '--daily');
    const backups = backupFolder(forum.services.config);
    await mkdir(backups, { recursive: true });
    for (let day = 1; day <= 8; day++)
      await writeFile(path.join(backups, dailyName(forum.services, Date.UTC(2025, 0, day))), '');
    const [, made = ''] = /^(\S+daily-\S+\.tar) is made and verified/m.exec(await daily(0)) ?? [];
    assert.ok((await stat(made)).size > 0);
    assert.equal((await readdir(backups)).length, 7);
    assert.match(await daily(0), /^There is already a daily backup/m);
    await rm(backups, { recursive: true });
    await writeFile(backups, 'not a folder');
    await daily(1);
  });

  test('write a backup to standard output, all messages to standard error, and fail when the reader leaves', async () => {
    const piped = runTertulia(site, 'backup', '-');
    assert.ok(piped.stdout && piped.stderr);
    const [bytes, said, [code]] = await Promise.all([
      buffer(piped.stdout),
      text(piped.stderr),
      once(piped, 'close'),
    ]);
    assert.equal(code, 0, said);
    assert.match(
      said,
      /^Reading the SQLite .*\n\d+ rows and 4 image files are in standard output$/m,
    );
    await writeFile(file, bytes);
    await run(0, {}, 'backup', '--verify', file);

    // More than a pipe buffers.
    const { db, config } = forum.services;
    await db
      .updateTable('accounts')
      .set({ about: 'x'.repeat(1_000_000) })
      .execute();
    const cut = runTertulia(site, 'backup', '-');
    cut.stdout?.once('data', () => cut.stdout?.destroy());
    assert.ok(cut.stderr);
    const [complaint, [failed]] = await Promise.all([text(cut.stderr), once(cut, 'close')]);
    assert.equal(failed, 1, complaint);
    assert.match(
      complaint,
      /^The backup is cut off: standard output does not take it \(EPIPE\)\.$/m,
    );
    assert.deepEqual(await readdir(backupFolder(config)).catch(() => []), []);
  });

  test('refuse to write a backup to a terminal', { skip: noScript }, async () => {
    const command = `${process.execPath} ${path.join(import.meta.dirname, 'main.ts')} backup -`;
    const env = { PATH: process.env.PATH, TERTULIA_ENV_FILE: '/dev/null', ...site };
    const { code, said } = await outcomeOf(spawn(script, ['-qec', command, '/dev/null'], { env }));
    assert.equal(code, 2, said);
    assert.match(said, /^tertulia backup - writes the archive to standard output: /);
  });

  test('say in one line what an incomplete backup lacks, and fail; a restore accepts it', async () => {
    await rm(path.join(forum.services.config.dataDir, 'images'), { recursive: true });
    const lost =
      '4 files of images in use are missing or damaged, for example \\S+, \\S+, \\S+\\.$';
    const lacks = RegExp(
      `^The backup in \\S+\\.incomplete-4\\.tar .* has 0 image files, and ${lost}`,
      'm',
    );
    // An incomplete backup does not count as that of the day.
    for (let made = 0; made < 2; made++) {
      const daily = await run(1, site, 'backup', '--daily');
      assert.match(daily, lacks);
      assert.equal(daily.trim().split('\n').length, 3);
    }
    assert.match(await run(1, site, 'backup', file), lacks);
    assert.deepEqual(await readdir(folder.path), ['site.incomplete-4.tar']);
    const incomplete = path.join(folder.path, 'site.incomplete-4.tar');
    assert.match(await run(1, {}, 'backup', '--verify', incomplete), lacks);
    const target = { DATA_DIR: path.join(folder.path, 'target') };
    const restored = await run(0, target, 'restore', incomplete);
    assert.match(restored, new RegExp(`^The backup is incomplete: ${lost}`, 'm'));
  });

  test('never create a database', async () => {
    const env = { DATA_DIR: folder.path };
    const database = path.join(folder.path, 'tertulia.db');
    for (const problem of ['does not exist', 'has no tables']) {
      const before = await readdir(folder.path);
      assert.match(await run(4, env, 'backup'), RegExp(`it ${problem}.*--env-file FILE`));
      await runCommand(env, 'admin', 'accounts');
      await runCommand(env, 'doctor');
      assert.deepEqual(await readdir(folder.path), before);
      await writeFile(database, '');
    }
    assert.equal((await stat(database)).size, 0);
  });
});
