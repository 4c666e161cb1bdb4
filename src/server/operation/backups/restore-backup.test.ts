import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { FaultyBucket } from '../../../../test/bucket/faulty-bucket.ts';
import { eventually } from '../../../../test/eventually.ts';
import { addCover } from '../../../../test/forum/add-cover.ts';
import {
  createPostgresDatabase,
  type Engine,
  engines,
  Forum,
} from '../../../../test/forum/forum.ts';
import { expectIndexed } from '../../../../test/forum/index-contents.ts';
import { refusedStart, runCommand } from '../../../../test/processes/run-command.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/temporary-folder.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { ChannelPage } from '../../../shared/channels.ts';
import { openDatabase } from '../../database/engine.ts';
import { migrate } from '../../database/migrations/migrate.ts';
import { lockDataDir } from '../../database/sqlite/file-lock.ts';
import { UnfitTarget } from '../../database/unfit-target.ts';
import { StoreUnavailable } from '../../images/stores/errors.ts';
import { objectKeysOf } from '../../images/stores/storage-keys.ts';
import { buildIndex } from '../../search-index/build-index.ts';
import { InUse } from '../../system/operator-error.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { openSite } from '../start/open-site.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';

/** A backup of each release that changed the tables, which later versions promise to read. */
const releases = path.join(import.meta.dirname, '../../../../test/releases');

let folder: TemporaryFolder;
let file: string;
before(async () => {
  folder = await temporaryFolder('restore');
  file = path.join(folder.path, 'backup.tar');
  await using forum = await Forum.start('sqlite');
  await addCover(forum, 1000);
  await makeBackup(forum.services, file, async () => {});
});
after(() => folder?.[Symbol.asyncDispose]());

let targets = 0;
/** Settings of an empty database and folder to restore into. */
async function emptyTarget(engine: Engine, more: Record<string, string> = {}) {
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  const DATA_DIR = path.join(folder.path, `target-${++targets}`);
  const env = { DATA_DIR, ...more, ...(database && { DATABASE_URL: database.url }) };
  const config = parseConfig(env);
  return { env, config, [Symbol.asyncDispose]: async () => database?.drop() };
}

/** Starts a forum on the restored data and checks its rows, images and search index. */
async function assertWhole(engine: Engine, env: Record<string, string>) {
  await using forum = await Forum.start(engine, env);
  const { db, images } = forum.services;
  const keys = (await db.selectFrom('images').selectAll().execute()).flatMap(objectKeysOf);
  assert.equal(keys.length, 4);
  for (const key of keys) assert.ok((await images.size(key)) > 0);
  await buildIndex(forum.services, new AbortController().signal);
  await expectIndexed(db);
}

for (const engine of engines) {
  test(`one of two concurrent restores succeeds with all its images, and the other is refused (${engine})`, async () => {
    await using target = await emptyTarget(engine);
    const outcomes = await Promise.allSettled([1, 2].map(() => restoreBackup(target.config, file)));
    const [refused, ...others] = outcomes.filter(({ status }) => status === 'rejected');
    assert.equal(others.length, 0);
    const { reason } = refused as PromiseRejectedResult;
    assert.ok(reason instanceof UnfitTarget || reason instanceof InUse, String(reason));
    await assertWhole(engine, target.env);
  });
}

for (const engine of engines) {
  test(`the backup that 1.0.0 made is restored by this version (${engine})`, async () => {
    await using target = await emptyTarget(engine);
    await restoreBackup(target.config, path.join(releases, '1.0.0.tar'));
    await using forum = await Forum.start(engine, target.env);
    const { data } = await forum.json<ChannelPage>('GET', apiRoutes.channels);
    const [channel] = data.filter(({ comments }) => comments.length === 2);
    assert.deepEqual(
      channel?.comments.map(({ comment }) => comment),
      ['Escrito con la versión 1.0.0', 'Respuesta'],
    );
    const images = await forum.services.db.selectFrom('images').selectAll().execute();
    for (const key of images.flatMap(objectKeysOf))
      assert.ok(await forum.services.images.size(key));
    assert.equal(images.length, 1);
  });
}

test('while a restore fills a PostgreSQL database, another is refused, and a start says that it waits and serves the restored site', async () => {
  await using target = await emptyTarget('postgres');
  const db = openDatabase(target.config, { noStatementTimeout: true });
  const lines: string[] = [];
  const started: Promise<unknown>[] = [];
  try {
    await migrate(db);
    await db.transaction().execute(async (trx) => {
      await sql`lock table images in access exclusive mode`.execute(trx);
      started.push(restoreBackup(target.config, file));
      await eventually('the restore waits for the table', async () => {
        const { rows } = await sql`
          select from pg_locks where relation = 'images'::regclass and not granted
        `.execute(trx);
        return rows.length === 1;
      });
      const starting = openSite(target.config, {}, (line) => lines.push(line));
      started.push(starting.then((services) => services.close()));
      await eventually('the start says that it waits', async () => lines.length > 0);
      const { code, said } = await runCommand(target.env, 'restore', file);
      assert.equal(code, 3, said);
      assert.match(said, /^A backup is restored into .* Nothing was changed\.$/m);
    });
    await Promise.all(started);
    assert.match(lines.join('\n'), /^A restore fills this database\. The start waits/);
  } finally {
    await Promise.allSettled(started);
    await db.destroy();
  }
  await assertWhole('postgres', target.env);
});

test('while a server runs on an empty PostgreSQL database, a restore is refused, and the server keeps its own rows', async () => {
  await using target = await emptyTarget('postgres');
  await using server = await Forum.start('postgres', target.env);
  assert.ok(server.services.live.isListening, 'a restore finds it by its listening connection');
  await assert.rejects(restoreBackup(target.config, file), (error) => {
    assert.ok(error instanceof InUse);
    return /A server runs/.test(error.message);
  });
  await server.person();
  assert.equal((await server.services.db.selectFrom('accounts').selectAll().execute()).length, 1);
});

test('while a restore fills a data folder, a start and a second restore are refused with code 3', async () => {
  await using target = await emptyTarget('sqlite');
  const unlock = lockDataDir(target.config.dataDir);
  try {
    for (const attempt of [
      () => runCommand(target.env, 'restore', file),
      () => refusedStart(target.env),
    ]) {
      const { code, said } = await attempt();
      assert.equal(code, 3, said);
      assert.match(said, /^Another tertulia works on the data in .*: a server or a restore\./m);
    }
  } finally {
    unlock();
  }
});

test('a backup is not restored over an existing SQLite file or image', async () => {
  for (const name of ['tertulia.db', 'tertulia.db-wal', 'images/mine.full']) {
    const { config } = await emptyTarget('sqlite');
    const mine = path.join(config.dataDir, name);
    await mkdir(path.dirname(mine), { recursive: true });
    await writeFile(mine, 'mine');
    await assert.rejects(restoreBackup(config, file), UnfitTarget);
    assert.equal(await readFile(mine, 'utf8'), 'mine');
    const images = await readdir(path.join(config.dataDir, 'images')).catch(() => []);
    assert.deepEqual(images, name.startsWith('images/') ? ['mine.full'] : []);
  }
});

test('a restore that fails because of the bucket leaves no database, deletes no image and says what it leaves; the next needs an empty bucket', async () => {
  const bucket = await FaultyBucket.start();
  try {
    const { env, config } = await emptyTarget('sqlite', bucket.env);
    bucket.behaviour = 'error';
    await assert.rejects(restoreBackup(config, file), StoreUnavailable);
    assert.equal(bucket.objects.size, 0);
    let writes = 0;
    bucket.onRequest = (action) => {
      if (!action.startsWith('PUT images/')) return;
      writes++;
      bucket.behaviour = writes > 2 ? 'error' : 'normal';
    };
    bucket.behaviour = 'normal';
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    await assert.rejects(restoreBackup(config, file, { print }), StoreUnavailable);
    assert.match(lines.join('\n'), /^The restore failed, and 2 image files are left in the bucket/);
    bucket.onRequest = undefined;
    bucket.behaviour = 'normal';
    assert.deepEqual(
      (await readdir(config.dataDir)).filter((name) => /\.db/.test(name)),
      [],
    );
    await assert.rejects(restoreBackup(config, file), (error) => {
      assert.ok(error instanceof UnfitTarget);
      return /The image store has images, .* If a restore that failed/.test(error.message);
    });
    assert.equal(bucket.objects.size, 2);
    bucket.objects.clear();
    await restoreBackup(config, file);
    await assertWhole('sqlite', env);
    // The bucket now has the images of a site.
    const other = await emptyTarget('sqlite', bucket.env);
    await assert.rejects(restoreBackup(other.config, file), UnfitTarget);
    await assertWhole('sqlite', env);
  } finally {
    bucket.stop();
  }
});
