import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { createPostgresDatabase, engines, Forum } from '../../../../test/forum/forum.ts';
import { refusedStart, runCommand } from '../../../../test/processes/run-command.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { openDatabase } from '../../database/engine.ts';
import { migrate } from '../../database/migrations/migrate.ts';
import { lockDataDir } from '../../database/sqlite/file-lock.ts';
import { UnfitTarget } from '../../database/unfit-target.ts';
import { objectKeysOf } from '../../images/stores/storage-keys.ts';
import { buildIndex } from '../../search/index/build-index.ts';
import { isIndexComplete } from '../../search/index/index-state.ts';
import { InUse } from '../../system/operator-error.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { openSite } from '../start/open-site.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';

let folder: string;
let file: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tertulia-at-once-'));
  file = path.join(folder, 'backup.tar');
  await using forum = await Forum.start('sqlite');
  const author = await forum.person();
  const uploaded = await forum.upload(author, await quarters(1000, 400).png().toBuffer());
  const { downloadURL: cover } = (await uploaded.json()) as StoredFile;
  const channel = await forum.json<{ _id: string }>('POST', apiRoutes.channels, {
    token: author.token,
    body: { name: 'Cine', description: 'Películas', cover },
  });
  await forum.comment(author, channel._id, 'palabra');
  await makeBackup(forum.services, file, async () => {});
});
after(() => rm(folder, { recursive: true, force: true }));

/** Creates an empty database and folder to restore into. */
async function emptyTarget(engine: (typeof engines)[number]) {
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  const env = {
    DATA_DIR: await mkdtemp(path.join(folder, 'target-')),
    ...(database ? { DATABASE_URL: database.url } : {}),
  };
  const config = parseConfig(env);
  return { env, config, [Symbol.asyncDispose]: async () => database?.drop() };
}

/** Starts a forum on the restored data and checks its rows, images and search index. */
async function assertWhole(engine: (typeof engines)[number], env: Record<string, string>) {
  await using forum = await Forum.start(engine, env);
  const { db, images } = forum.services;
  const keys = (await db.selectFrom('images').selectAll().execute()).flatMap(objectKeysOf);
  assert.equal(keys.length, 4);
  for (const key of keys) assert.ok((await images.size(key)) > 0);
  await buildIndex(forum.services, new AbortController().signal);
  assert.ok(await isIndexComplete(db));
  // The channel and its comment.
  assert.equal((await db.selectFrom('search_docs').selectAll().execute()).length, 2);
}

for (const engine of engines) {
  test(`of two restores at once one succeeds with all its images, and the other is refused (${engine})`, async () => {
    await using target = await emptyTarget(engine);
    const outcomes = await Promise.allSettled([1, 2].map(() => restoreBackup(target.config, file)));
    const [refused, ...others] = outcomes.filter(({ status }) => status === 'rejected');
    assert.equal(others.length, 0);
    const { reason } = refused as PromiseRejectedResult;
    assert.ok(reason instanceof UnfitTarget || reason instanceof InUse, String(reason));
    await assertWhole(engine, target.env);
  });
}

describe('while a restore fills a PostgreSQL database', () => {
  test('a start prints that it waits, and then serves the restored site', async () => {
    await using target = await emptyTarget('postgres');
    const db = openDatabase(target.config, { noStatementTimeout: true });
    const lines: string[] = [];
    try {
      await migrate(db);
      const { restoring, starting } = await db.transaction().execute(async (trx) => {
        await sql`lock table images in access exclusive mode`.execute(trx);
        const restoring = restoreBackup(target.config, file);
        await eventually('the restore waits for the table', async () => {
          const { rows } = await sql`
            select from pg_locks where relation = 'images'::regclass and not granted
          `.execute(trx);
          return rows.length === 1;
        });
        const starting = openSite(target.config, {}, (line) => lines.push(line));
        await eventually('the start says that it waits', async () => lines.length > 0);
        const { code, said } = await runCommand(target.env, 'restore', file);
        assert.equal(code, 3, said);
        assert.match(said, /^A backup is restored into .* Nothing was changed\.$/m);
        assert.doesNotMatch(said, /at .*\.ts/);
        return { restoring, starting };
      });
      await restoring;
      await (await starting).close();
      assert.match(lines.join('\n'), /^A restore fills this database\. The start waits/);
    } finally {
      await db.destroy();
    }
    await assertWhole('postgres', target.env);
  });

  test('a server that started without waiting makes the restore fail and keeps its own rows', async () => {
    await using target = await emptyTarget('postgres');
    await (await openSite(target.config)).close();
    await using server = await Forum.start('postgres', target.env);
    await eventually('it listens', async () => server.services.live.isListening);
    await assert.rejects(restoreBackup(target.config, file), InUse);
    await server.person();
    assert.equal((await server.services.db.selectFrom('accounts').selectAll().execute()).length, 1);
  });
});

test('a server on PostgreSQL listens once it is open, so that a restore finds it', async () => {
  await using forum = await Forum.start('postgres');
  assert.ok(forum.services.live.isListening);
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
