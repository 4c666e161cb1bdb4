import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { createPostgresDatabase, Forum } from '../../../../test/forum/forum.ts';
import { ForumClient } from '../../../../test/forum/forum-client.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import { outcomeOf, runTertulia } from '../../../../test/processes/program.ts';
import { refusedStart, runCommand } from '../../../../test/processes/run-command.ts';
import { type LogLine, ServerProcess } from '../../../../test/processes/server-process.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/temporary-folder.ts';
import { engineOf, openDatabase } from '../../database/engine.ts';
import { migrationNames, readMigrations } from '../../database/migrations/migrate.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { openSite } from './open-site.ts';

/** The log's line at a start while nobody administers the site. */
interface Offer {
  founderLink: string;
  endsAt: string;
}

describe('the server process', () => {
  let temporary: TemporaryFolder;
  let dataDir: string;
  before(async () => {
    temporary = await temporaryFolder('main');
    dataDir = temporary.path;
  });
  after(() => temporary?.[Symbol.asyncDispose]());

  test('makes no tables in an empty PostgreSQL when the data folder has backups', async (t) => {
    const folder = path.join(dataDir, 'lost');
    await mkdir(path.join(folder, 'backups'), { recursive: true });
    await writeFile(path.join(folder, 'backups/site.tar'), '');
    const database = await createPostgresDatabase();
    t.after(() => database.drop());
    const refused = await refusedStart({ DATA_DIR: folder, DATABASE_URL: database.url });
    assert.equal(refused.code, 4);
    assert.match(refused.said, /the database was lost/);
    const config = parseConfig({ DATA_DIR: folder, DATABASE_URL: database.url });
    await using db = openDatabase(config);
    assert.deepEqual(await engineOf(db).tableNames(db), []);
  });

  test('names a PostgreSQL database in SQL_ASCII when it starts, as the doctor does', async (t) => {
    const database = await createPostgresDatabase({ encoding: 'SQL_ASCII' });
    t.after(() => database.drop());
    const settings = { DATA_DIR: path.join(dataDir, 'ascii'), DATABASE_URL: database.url };
    await using server = await ServerProcess.start(settings);
    assert.equal(server.logged(/has the encoding SQL_ASCII/)[0]?.level, 40);
    const { said } = await runCommand(settings, 'doctor');
    assert.match(said, /^not ok +database .*has the encoding SQL_ASCII/m);
  });

  for (const [name, change] of [
    ['replaced', async (file: string) => copyFile(`${file}.moved`, file)],
    ['removed', async () => {}],
  ] as const) {
    test(`ends within a second after its SQLite file was ${name}, and leaves the write-ahead log`, async () => {
      const folder = path.join(dataDir, name);
      const file = path.join(folder, 'tertulia.db');
      await using server = await ServerProcess.start({ DATA_DIR: folder });
      await rename(file, `${file}.moved`);
      await change(file);
      assert.equal((await server.ended).code, 4);
      const said = server.logged(/tertulia\.db was replaced or removed while the server ran/);
      assert.equal(said.length, 1);
      assert.ok((await stat(`${file}-wal`)).size > 0);
    });
  }

  test('keeps everything when only the write-ahead log of its SQLite file was removed', async () => {
    const folder = path.join(dataDir, 'log-removed');
    const file = path.join(folder, 'tertulia.db');
    await using server = await ServerProcess.start({ DATA_DIR: folder });
    assert.ok((await stat(`${file}-wal`)).size > 0);
    await rm(`${file}-wal`);
    assert.equal((await server.ended).code, 4);
    await using db = openDatabase(parseConfig({ DATA_DIR: folder }));
    assert.deepEqual(await readMigrations(db), migrationNames);
  });

  test('erases nothing for an hour when its clock is more than a day ahead of the newest row, and says so', async () => {
    const folder = path.join(dataDir, 'ahead');
    const agoMs = 15 * 86_400_000;
    const former = await Forum.start(
      'sqlite',
      { DATA_DIR: folder },
      { now: () => Date.now() - agoMs },
    );
    const ana = await former.person();
    await askForDeletion(former, ana, 'erase');
    await former.stop();
    await using server = await ServerProcess.start({ DATA_DIR: folder });
    const [said] = server.logged(
      / is 15 days ahead of the newest .* nothing is erased for an hour/,
    );
    assert.equal(said?.level, 40);
    assert.equal((await new ForumClient(server.url).signIn(ana.email, ana.password)).status, 200);
  });

  test('serves, refuses a second server on its data folder or its port, and ends cleanly on SIGTERM and SIGHUP', async () => {
    const folder = path.join(dataDir, 'site');
    await using first = await ServerProcess.start({ DATA_DIR: folder });
    assert.equal((await fetch(`${first.url}/readyz?all`)).status, 200);
    assert.deepEqual(first.logged(/PUBLIC_URL/), []);
    // A new link for the founder with each start, as text and as a field.
    const [offer] = first.logged(/^Nobody administers the site yet\./) as (LogLine & Offer)[];
    assert.equal(offer?.level, 40);
    assert.ok(offer.founderLink.startsWith(`${first.url}/register#`));
    assert.ok(offer.msg.includes(offer.founderLink));
    assert.ok(Date.parse(offer.endsAt) > Date.now());
    const isRoot = process.getuid?.() === 0;
    assert.equal(first.logged(/^the server runs as root/).length, isRoot ? 1 : 0);
    for (const name of ['.', 'tertulia.db', 'tertulia.db-wal', 'tertulia.db-shm', 'images']) {
      const { mode } = await stat(path.join(folder, name));
      assert.equal(mode & 0o077, 0, `only its user can open ${name}`);
    }

    const PORT = new URL(first.url).port;
    const asked = await runCommand({ DATA_DIR: folder, PORT }, 'healthcheck');
    assert.deepEqual([asked.code, /^The server responds at /m.test(asked.said)], [0, true]);

    const second = await refusedStart({ DATA_DIR: folder });
    assert.equal(second.code, 3);
    assert.match(second.said, /Another tertulia/);
    assert.equal((await fetch(`${first.url}/readyz?all`)).status, 200);
    const elsewhere = path.join(dataDir, 'elsewhere');
    const third = await new ServerProcess({ DATA_DIR: elsewhere, PORT }).ended;
    assert.equal(third.code, 3);
    assert.match(
      third.said,
      RegExp(`^Another program listens at 127\\.0\\.0\\.1:${PORT}\\. .*set PORT.*\n$`),
    );
    assert.equal((await first.stop()).code, 0);
    const unanswered = await runCommand({ DATA_DIR: folder, PORT }, 'healthcheck');
    assert.deepEqual(
      [unanswered.code, /does not respond at .*REFUSED/.test(unanswered.said)],
      [1, true],
    );

    // `fetch` refuses this port, and the health check needs no data folder.
    const wrong = { DATA_DIR: path.join(folder, 'tertulia.db'), PORT: '6000' };
    const refused = await outcomeOf(runTertulia(wrong, 'healthcheck'));
    assert.deepEqual([refused.code, /6000\/healthz: .*REFUSED/.test(refused.said)], [1, true]);

    const command = path.join(import.meta.dirname, '../../../../bin/tertulia');
    const base = { PATH: process.env.PATH, PORT: '0', TERTULIA_ENV_FILE: '/dev/null' };
    const backups = path.join(folder, 'backups');
    await rm(backups, { recursive: true, force: true });
    await writeFile(backups, 'not a folder');
    await using behindProxy = await ServerProcess.start(
      {
        DATA_DIR: folder,
        PUBLIC_URL: 'https://foro.example',
        BACKUP_KEEP: '1',
        METRICS: 'on',
        METRICS_PORT: '0',
      },
      (env) =>
        spawn(command, ['start'], { env: { ...base, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    assert.equal(behindProxy.logged(/Set TRUST_PROXY=1/)[0]?.level, 40);
    const [another] = behindProxy.logged(/^Nobody administers/) as (LogLine & Offer)[];
    assert.match(another?.founderLink ?? '', /^https:\/\/foro\.example\/register#[\w-]{22}$/);
    // Without a listener, these signals would end Node or open its debugger, which prints its address.
    behindProxy.kill('SIGUSR1');
    behindProxy.kill('SIGUSR2');
    assert.equal((await fetch(behindProxy.metricsUrl)).status, 200);
    const failed = () => behindProxy.logged(/^backup failed; it is repeated/).length > 0;
    await eventually('housekeeping has begun', async () => failed());
    assert.equal((await fetch(`${behindProxy.url}/healthz`)).status, 200);
    behindProxy.kill('SIGHUP');
    const ended = await behindProxy.ended;
    assert.equal(ended.code, 0);
    assert.match(ended.said, /^No backup can be made: .*backups is a file.*\n$/);
  });

  test('names misspelt settings and the settings file before it opens anything, and exits with 4 for a foreign database file', async () => {
    const folder = path.join(dataDir, 'foreign');
    await mkdir(folder);
    await writeFile(path.join(folder, 'tertulia.db'), 'a letter');
    const file = path.join(dataDir, 'site.env');
    await writeFile(file, `DATA_DIR=${folder}\nDATABSE_URL=postgres://x\n`);
    const server = new ServerProcess({ TERTULIA_ENV_FILE: file });
    const { code, said } = await server.ended;
    assert.equal(code, 4);
    assert.match(said, /tertulia\.db is damaged, or no SQLite database/);
    assert.doesNotMatch(said, /\.ts/);
    assert.equal(server.logged(/^settings are from .*site\.env /).length, 1);
    const [warning] = server.logged(/^DATABSE_URL in .* did you mean DATABASE_URL\?$/);
    assert.equal(warning?.level, 40);
  });

  test('logs an unhandled rejection once and exits with 1', async () => {
    const failing = encodeURIComponent(
      `process.on('SIGUSR2',()=>{Promise.reject(new Error("boom"))})`,
    );
    const server = await ServerProcess.start({
      DATA_DIR: dataDir,
      NODE_OPTIONS: `--import=data:text/javascript,${failing}`,
    });
    server.kill('SIGUSR2');
    const { code, said } = await server.ended;
    assert.deepEqual([code, said], [1, '']);
    assert.equal(server.logged(/^uncaught error$/).length, 1);
  });
});

test('a start exits with code 4 when the ledger of erased accounts cannot be read, and warns when backups is a file', async () => {
  await using folder = await temporaryFolder('unusable');
  const env = { DATA_DIR: folder.path };
  await (await Forum.start('sqlite', env)).stop();
  const backups = path.join(folder.path, 'backups');
  const ledger = path.join(backups, 'erased-accounts.txt');
  await mkdir(ledger, { recursive: true });
  const { code, said } = await refusedStart(env);
  assert.equal(code, 4, said);
  assert.match(said, RegExp(`^The ledger of erased accounts, ${ledger}, cannot be read`, 'm'));

  await rm(backups, { recursive: true });
  await writeFile(backups, '');
  const lines: string[] = [];
  const services = await openSite(parseConfig(env), {}, (line) => lines.push(line));
  await services.close();
  assert.match(lines.join('\n'), RegExp(`^No backup can be made: ${backups} is a file`));
});
