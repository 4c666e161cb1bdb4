import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { onePixel } from '../../../test/attacks/hostile-images.ts';
import { createPostgresDatabase, engines, Forum } from '../../../test/forum/forum.ts';
import { storedObjectKeys } from '../../../test/forum/image-setups.ts';
import { longMigration } from '../../../test/processes/killed-migration.ts';
import { refusedStart, runCommand } from '../../../test/processes/run-command.ts';
import type { StoredFile } from '../../shared/images.ts';
import { parseConfig } from '../config/config.ts';
import { openDatabase } from '../database/database.ts';
import { OtherSite } from '../images/site-identity.ts';
import { identityKey } from '../images/stores/storage-keys.ts';
import { sweepImages } from '../images/sweep-images.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { upgrade } from './upgrade.ts';

async function upload(forum: Forum): Promise<StoredFile> {
  const png = await onePixel(8, 8).png().toBuffer();
  return (await (await forum.upload(await forum.person(), png)).json()) as StoredFile;
}
const identityOf = async ({ deps }: Forum) =>
  (await deps.db.selectFrom('site_identity').selectAll().executeTakeFirst())?.identity;
const identityInStore = async ({ deps }: Forum) =>
  String(await deps.images.readWhole(identityKey)).trim();
const noLock = async () => {};

for (const engine of engines) {
  test(`a restored site has a new identity, in the database and beside its images (${engine})`, async () => {
    await using former = await Forum.start(engine);
    await upload(former);
    const { dataDir } = former.deps.config;
    const file = path.join(dataDir, 'whole.tar');
    await makeBackup(former.deps, file, noLock);
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    try {
      const env = {
        DATA_DIR: path.join(dataDir, 'restored'),
        ...(database && { DATABASE_URL: database.url }),
      };
      // On PostgreSQL a first start may have written an identity before.
      if (database) await (await Forum.start(engine, env)).stop();
      const config = parseConfig(env);
      await restoreBackup(config, file);
      const db = openDatabase(config);
      const restored = await db.selectFrom('site_identity').selectAll().executeTakeFirst();
      await db.destroy();
      await using forum = await Forum.start(engine, env);
      assert.equal(restored?.identity, await identityInStore(forum));
      assert.equal(await identityOf(forum), await identityInStore(forum));
      assert.notEqual(await identityOf(forum), await identityOf(former));
      // The database of the former site must not sweep the restored images.
      await assert.rejects(sweepImages({ ...former.deps, images: forum.deps.images }), OtherSite);
    } finally {
      await database?.drop();
    }
  });
}

test('rows that are restored beside the images of another site do not start there', async () => {
  await using former = await Forum.start('postgres');
  await upload(former);
  await using other = await Forum.start('postgres');
  await upload(other);
  const file = path.join(former.deps.config.dataDir, 'rows.tar');
  await makeBackup({ db: former.deps.db, images: undefined }, file, noLock);
  const database = await createPostgresDatabase();
  try {
    const env = { ...other.dataSettings, DATABASE_URL: database.url };
    await restoreBackup(parseConfig(env), file);
    const { code, said } = await refusedStart(env);
    assert.equal(code, 4, said);
    assert.match(said, /none of the images that it refers to are in the folder/);
  } finally {
    await database.drop();
  }
});

test('on PostgreSQL a site returns to the older version through a new database and keeps its images', async () => {
  const forum = await Forum.start('postgres');
  const database = await createPostgresDatabase();
  try {
    const { dataSettings: env, deps } = forum;
    const image = await upload(forum);
    const identity = await identityOf(forum);
    const db = openDatabase(deps.config, { noStatementTimeout: true });
    const lines: string[] = [];
    await upgrade(deps.config, db, (line) => lines.push(line), longMigration(noLock)).finally(() =>
      db.destroy(),
    );
    const file = /copied to (\S+\.tar)$/.exec(lines[0] ?? '')?.[1] ?? '';
    const newer = await refusedStart(env);
    assert.equal(newer.code, 4, newer.said);
    assert.match(newer.said, /another version of tertulia/);

    const empty = { ...env, DATABASE_URL: database.url };
    const tooEarly = await refusedStart(empty);
    assert.equal(tooEarly.code, 4, tooEarly.said);
    assert.match(
      tooEarly.said,
      /If the database was lost, restore .* rows alone .*tertulia restore/,
    );
    const restored = await runCommand(empty, 'restore', file);
    assert.equal(restored.code, 0, restored.said);
    await using back = await Forum.start('postgres', empty);
    assert.equal((await back.call('GET', image.downloadURL)).status, 200);
    assert.equal(await identityOf(back), identity);
    const files = await storedObjectKeys(back);
    const later = () => Date.now() + 20 * 3_600_000;
    assert.equal((await sweepImages({ ...back.deps, now: later })).strays, 0);
    assert.deepEqual(await storedObjectKeys(back), files);
  } finally {
    await forum.stop();
    await database.drop();
  }
});

test('the next start gives rows from before the identity that of the images', async () => {
  await using former = await Forum.start('postgres');
  await upload(former);
  const file = path.join(former.deps.config.dataDir, 'rows.tar');
  const identity = await identityOf(former);
  await former.deps.db.deleteFrom('site_identity').execute();
  await makeBackup({ db: former.deps.db, images: undefined }, file, noLock);
  const database = await createPostgresDatabase();
  try {
    const env = { ...former.dataSettings, DATABASE_URL: database.url };
    await restoreBackup(parseConfig(env), file);
    await using forum = await Forum.start('postgres', env);
    assert.equal(await identityOf(forum), identity);
  } finally {
    await database.drop();
  }
});
