import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createBucket, noBucket } from '../../../test/bucket.ts';
import { createPostgresDatabase, engines, Forum } from '../../../test/forum.ts';
import { fillCommunity } from '../../../test/large-community.ts';
import { asTarget, dump, runMove } from '../../../test/mover.ts';
import { parseConfig } from '../config.ts';
import { openDatabase } from '../database/database.ts';
import { openImageStore } from '../images/open-image-store.ts';

const size = { channels: 2, comments: 10, pictures: 2, pictureBytes: 1000 };
let forum: Forum;
let folder: string;
let source: Record<string, string>;
before(async () => {
  forum = await Forum.start('sqlite');
  await fillCommunity(forum.deps, size);
  source = { DATA_DIR: forum.deps.config.dataDir };
  folder = await mkdtemp(path.join(tmpdir(), 'tertulia-refused-'));
});
after(async () => {
  await forum?.stop();
  await rm(folder, { recursive: true, force: true });
});

for (const engine of engines) {
  test(`another community on ${engine} is left untouched, while it is served and after`, async () => {
    const dataDir = path.join(folder, `other-${engine}`);
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    const place = { dataDir, databaseUrl: database?.url };
    const other = await Forum.start(engine, {
      DATA_DIR: dataDir,
      ...(database ? { DATABASE_URL: database.url } : {}),
    });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= other.stop();
      return stopped;
    };
    try {
      await fillCommunity(other.deps, size);
      const before = await dump(place);
      const args = database ? ['--to-database', database.url] : ['--to-data-dir', dataDir];

      const served = await runMove(source, args);
      assert.equal(served.code, 3, served.said);
      assert.match(served.said, /serving/);
      await stop();
      const { code, said } = await runMove(source, args);
      assert.equal(code, 3, said);
      assert.match(said, /another community.*\nNothing was moved/s);
      assert.deepEqual(await dump(place), before);
    } finally {
      await stop();
      await database?.drop();
    }
  });
}

test('another community’s pictures in the folder are left alone, and none come to them', async () => {
  const other = path.join(folder, 'pictures');
  await mkdir(path.join(other, 'images'), { recursive: true });
  await writeFile(path.join(other, 'images', `${crypto.randomUUID()}.full`), 'bytes');
  const { code, said } = await runMove(source, ['--to-data-dir', other]);
  assert.equal(code, 3, said);
  assert.match(said, /none of them is the source's/);
  assert.equal((await readdir(path.join(other, 'images'))).length, 1);
  assert.deepEqual((await readdir(other)).sort(), ['images', 'tertulia.lock']);
});

test('nor those in a bucket', { skip: noBucket }, async () => {
  const bucket = await createBucket();
  const store = await openImageStore(parseConfig(bucket));
  await store.write(`${crypto.randomUUID()}.full`, Buffer.from('bytes'), 'image/png');
  const { code, said } = await runMove({ ...source, ...asTarget(bucket) }, []);
  assert.equal(code, 3, said);
  assert.equal((await Array.fromAsync(store.list())).length, 1);
});

test('a database with another program’s tables is left untouched', async () => {
  const database = await createPostgresDatabase();
  const db = openDatabase({ databaseUrl: database.url, dataDir: '' });
  try {
    await sql`create table accounts (iban text)`.execute(db);
    const { code, said } = await runMove(source, ['--to-database', database.url]);
    assert.equal(code, 3, said);
    assert.match(said, /tables that tertulia did not make: accounts/);
    const { rows } = await sql`select tablename from pg_tables where schemaname = 'public'`.execute(
      db,
    );
    assert.deepEqual(rows, [{ tablename: 'accounts' }]);
  } finally {
    await db.destroy();
    await database.drop();
  }
});

test('a source of an older or a newer version is told apart, and nothing is moved', async () => {
  const database = await createPostgresDatabase();
  const other = await Forum.start('postgres', { DATABASE_URL: database.url });
  try {
    const move = (args = ['--to-data-dir', path.join(folder, 'version')]) =>
      runMove({ DATABASE_URL: database.url }, args);
    const db = other.deps.db;
    await sql`insert into kysely_migration values ('999-future', '2030')`.execute(db);
    const newer = await move();
    assert.deepEqual([newer.code, /newer version.*999-future/.test(newer.said)], [3, true]);
    await sql`delete from kysely_migration where name >= '002'`.execute(db);
    const older = await move();
    assert.deepEqual([older.code, /older version.*001-forum/.test(older.said)], [3, true]);
    const target = await runMove(source, ['--to-database', database.url]);
    assert.deepEqual([target.code, /target.*older version/.test(target.said)], [3, true]);
  } finally {
    await other.stop();
    await database.drop();
  }
});

test('where nobody lives there is nothing to move, and nothing is made', async () => {
  const nobody = path.join(folder, 'nobody');
  const { code, said } = await runMove({ DATA_DIR: nobody }, ['--to-data-dir', `${nobody}-2`]);
  assert.equal(code, 3, said);
  assert.match(said, /no community/);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('nobody')),
    [],
  );
});

test('wrong arguments end with 2 and the usage, a database that is not there with 1', async () => {
  const wrong = await runMove(source, ['--to-database', 'mysql://u:secreto@h/d', '--only', 'x']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.said, /TO_DATABASE_URL must.*--only takes.*npm run move -- /s);
  assert.doesNotMatch(wrong.said, /secreto/);
  const away = await runMove(source, ['--to-database', 'postgres://u:secreto@127.0.0.1:1/d']);
  assert.equal(away.code, 1, away.said);
  assert.match(away.said, /unavailable.*ECONNREFUSED.*Run it again/s);
  assert.doesNotMatch(away.said, /secreto/);
});
