import assert from 'node:assert/strict';
import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  expectedRows,
  fillFormerComments,
  readRemovals,
} from '../../../test/forum/former-comments.ts';
import { createPostgresDatabase, type Engine, engines, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { ChannelPage } from '../../shared/channels.ts';
import type { CommentPage } from '../../shared/comments.ts';
import { parseConfig } from '../config/config.ts';
import { openDatabase } from '../database/database.ts';
import { migrationNames, readMigrations } from '../database/migrations/migrate.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

async function emptyTarget(t: TestContext, engine: Engine, folder: string) {
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  t.after(() => database?.drop());
  return { DATA_DIR: folder, ...(database ? { DATABASE_URL: database.url } : {}) };
}

/** Fills an empty site as an earlier version did. @returns a backup of its rows */
async function fillFormer(env: Record<string, string>): Promise<string> {
  const db = openDatabase(parseConfig(env), { noStatementTimeout: true });
  await fillFormerComments(db);
  const file = path.join(env.DATA_DIR ?? '', 'former.tar');
  await makeBackup({ db, images: undefined }, file, async () => {}).finally(() => db.destroy());
  return file;
}

async function expectPresentRows(forum: Forum): Promise<void> {
  assert.deepEqual(await readRemovals(forum.deps.db), expectedRows);
  const { data } = await forum.json<ChannelPage>('GET', apiRoutes.channels);
  assert.deepEqual(
    data.map(({ _id }) => _id),
    ['open'],
  );
  const page = await forum.json<CommentPage>('GET', apiRoutes.channelComments('open'));
  assert.deepEqual(
    page.data.map(({ number }) => number),
    [1],
  );
}

for (const from of engines) {
  const to = from === 'sqlite' ? 'postgres' : 'sqlite';
  test(`a backup with the former tables of comments (${from}) is restored on ${to}`, async (t) => {
    await using source = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-former-'));
    await using target = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-former-'));
    const file = await fillFormer(await emptyTarget(t, from, source.path));
    const env = await emptyTarget(t, to, path.join(target.path, 'data'));
    const { tables } = await restoreBackup(parseConfig(env), file);
    assert.equal(tables.hidden_comments?.count, 8);
    assert.equal(tables.deleted_comments?.count, 4);
    const db = openDatabase(parseConfig(env));
    assert.deepEqual(await readMigrations(db).finally(() => db.destroy()), migrationNames);
    await using forum = await Forum.start(to, env);
    await expectPresentRows(forum);
  });

  test(`a start upgrades the former tables of comments after copying them (${from})`, async (t) => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-former-'));
    const env = await emptyTarget(t, from, folder.path);
    await fillFormer(env);
    await using forum = await Forum.start(from, env);
    await expectPresentRows(forum);
    const backups = path.join(folder.path, 'backups');
    const [copy = ''] = await readdir(backups);
    assert.match(copy, /^before-016-one-table-of-comments-/);
    if (from === 'sqlite') return;
    assert.equal((await verifyBackup(path.join(backups, copy))).tables.hidden_comments?.count, 8);
  });
}
