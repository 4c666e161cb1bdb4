import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import {
  expectedRows,
  fillFormerComments,
  readRemovals,
} from '../../../../test/forum/former-comments.ts';
import { createPostgresDatabase, engines } from '../../../../test/forum/forum.ts';
import { nameKey } from '../../accounts/names.ts';
import { openDatabase } from '../database.ts';
import { isPostgres } from '../is-postgres.ts';
import type { Database } from '../tables.ts';
import { allMigrations, type Migrations, migrate, migrationNames } from './migrate.ts';

for (const engine of engines) {
  test(`a failing migration rolls back the ones before it (${engine})`, async () => {
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-migrate-'));
    const db = openDatabase({ databaseUrl: database?.url, dataDir }, { noStatementTimeout: true });
    try {
      await sql`create table rate_limits (id integer)`.execute(db);
      await assert.rejects(migrate(db), /rate_limits/);
      await assert.rejects(db.selectFrom('accounts').selectAll().execute(), /accounts/);
      await sql`drop table rate_limits`.execute(db);
      assert.deepEqual(await migrate(db), migrationNames);
      assert.deepEqual(await migrate(db), []);
      // Its tables changed under this name before the first release.
      await sql`
        insert into kysely_migration values ('022-moderation', '') on conflict do nothing
      `.execute(db);
      await assert.rejects(migrate(db), /went through 022-moderation, which this one does not/);
    } finally {
      await db.destroy();
      await database?.drop();
      await rm(dataDir, { recursive: true });
    }
  });
}

for (const engine of engines) {
  describe(`the migration that empties the e-mail keys of erased accounts (${engine})`, () => {
    test('leaves all other rows, indexes and references as they were', async (t) => {
      const db = await openFormer(t, engine);
      const before = await indexNames(db);
      await migrate(db, { upTo: '021-search-blocks' });
      const keys = await db
        .selectFrom('accounts')
        .select(['id', 'email_key'])
        .orderBy('id')
        .execute();
      assert.deepEqual(
        keys.map(({ id, email_key }) => [id, email_key]),
        [
          ['berta', 'berta@ejemplo.es'],
          ['zoraida', null],
        ],
      );
      assert.deepEqual(await indexNames(db), before);
      const session = await db.selectFrom('sessions').select('account_id').executeTakeFirst();
      assert.equal(session?.account_id, 'berta');
      await assert.rejects(insertSession(db, 'nadie'), /foreign key/i);
      await assert.rejects(insertAccount(db, 'sin-correo', { email_key: null }), /check|violates/i);
      await insertAccount(db, 'otra', { email_key: null, erased_at_ms: 2 });
      await assert.rejects(insertAccount(db, 'tercera', { email_key: 'berta@ejemplo.es' }));
    });

    test('changes nothing when a later one fails or leaves a reference to a missing row', async (t) => {
      const db = await openFormer(t, engine);
      const fail = async () => {
        throw new Error('no such luck');
      };
      await assert.rejects(migrate(db, { migrations: withLast(fail) }), /no such luck/);
      assert.equal((await findErased(db))?.email_key, 'zoraida');
      await assert.rejects(insertSession(db, 'nadie'), /foreign key/i);
      const drop = async (trx: Database) => {
        await trx.deleteFrom('accounts').where('id', '=', 'berta').execute();
      };
      await assert.rejects(
        migrate(db, { migrations: withLast(drop) }),
        engine === 'sqlite' ? /a row of sessions refers to a row of accounts/ : /foreign key/,
      );
      assert.equal((await findErased(db))?.email_key, 'zoraida');
    });
  });
}

const withLast = (up: (trx: Database) => Promise<void>): Migrations => ({
  ...allMigrations,
  '999-last': { up },
});

for (const engine of engines) {
  describe(`the migration to one table of comments (${engine})`, () => {
    test('keeps every deleted and hidden comment, and tells deleted channels from hidden ones, also after a failed attempt', async (t) => {
      const db = await openEmpty(t, engine);
      await fillFormerComments(db);
      const fail = async () => {
        throw new Error('no such luck');
      };
      await assert.rejects(migrate(db, { migrations: withLast(fail) }), /no such luck/);
      const { rows } = await sql`select number from hidden_comments`.execute(db);
      assert.equal(rows.length, 8);
      await migrate(db);
      assert.deepEqual(await readRemovals(db), expectedRows);
      const channels = await db.selectFrom('visible_channels').select('id').execute();
      assert.deepEqual(
        channels.map(({ id }) => id),
        ['open'],
      );
      const comments = await db
        .selectFrom('visible_comments')
        .select(['channel_id', 'number'])
        .execute();
      assert.deepEqual(
        comments.map(({ channel_id, number }) => [channel_id, number]),
        [['open', 1]],
      );
      const tables = (await db.introspection.getTables()).map(({ name }) => name);
      assert.ok(!tables.some((name) => /^(hidden|deleted)_comments$/.test(name)));
      for (const column of ['deleted_at_ms', 'hidden_at_ms']) {
        const fraction = sql`update comments set ${sql.ref(column)} = 1.5 where number = 1`;
        const stored = () => sql`select 1 from comments where ${sql.ref(column)} = 1.5`.execute(db);
        // PostgreSQL rounds what is given as a literal.
        if (engine === 'sqlite') await assert.rejects(fraction.execute(db), /constraint/i);
        assert.deepEqual((await stored()).rows, []);
      }
    });
  });
}

/** A database as it was before, with an account that is open and one that is erased. */
async function openFormer(t: TestContext, engine: (typeof engines)[number]): Promise<Database> {
  const db = await openEmpty(t, engine);
  await migrate(db, { upTo: '010-accounts' });
  await insertAccount(db, 'berta', { email_key: 'berta@ejemplo.es' });
  await insertAccount(db, 'zoraida', { email_key: 'zoraida', erased_at_ms: 1 });
  await insertSession(db, 'berta');
  return db;
}

/** A database without tables. */
async function openEmpty(t: TestContext, engine: (typeof engines)[number]): Promise<Database> {
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-migrate-'));
  const db = openDatabase({ databaseUrl: database?.url, dataDir }, { noStatementTimeout: true });
  t.after(async () => {
    await db.destroy();
    await database?.drop();
    await rm(dataDir, { recursive: true });
  });
  return db;
}

const insertAccount = (
  db: Database,
  id: string,
  values: { email_key: string | null; erased_at_ms?: number },
) =>
  db
    .insertInto('accounts')
    .values({ id, name: id, email: '', password_hash: '', created_at_ms: 1, ...values })
    .execute();

const insertSession = (db: Database, id: string) =>
  db
    .insertInto('sessions')
    .values({
      id,
      token_hash: id,
      account_id: id,
      created_at_ms: 1,
      last_used_at_ms: 1,
      expires_at_ms: 1,
    })
    .execute();

const findErased = (db: Database) =>
  db.selectFrom('accounts').select('email_key').where('id', '=', 'zoraida').executeTakeFirst();

for (const engine of engines) {
  test(`rows of early versions get keys of names, and sessions without an id are deleted (${engine})`, async (t) => {
    const db = await openEmpty(t, engine);
    await migrate(db, { upTo: '018-withdrawn-images' });
    await insertAccount(db, 'Óscar', { email_key: 'oscar' });
    await sql`
      insert into sessions (id, token_hash, account_id, created_at_ms, last_used_at_ms, expires_at_ms)
      select column1, column2, accounts.id, 0, 0, 1 from accounts, (values (null, 'a'), ('s', 'b')) as made
    `.execute(db);
    await migrate(db);
    const account = await db.selectFrom('accounts').select('name_key').executeTakeFirstOrThrow();
    assert.equal(account.name_key, nameKey('Óscar'));
    const sessions = await db.selectFrom('sessions').select('id').execute();
    assert.deepEqual(
      sessions.map(({ id }) => id),
      ['s'],
    );
  });
}

test('the migration to whole numbers rounds the fractions that SQLite stored, and changes nothing else', async (t) => {
  const db = await openFormer(t, 'sqlite');
  await migrate(db, { upTo: '012-erased-emails' });
  await sql`update accounts set created_at_ms = 1700000000000.4 where id = 'berta'`.execute(db);
  await sql`update sessions set expires_at_ms = 1700000000000.6`.execute(db);
  const before = await sql`select * from accounts where id <> 'berta'`.execute(db);
  await migrate(db, { upTo: '021-search-blocks' });
  const { rows } = await sql`
    select created_at_ms as at, typeof(created_at_ms) as type from accounts where id = 'berta'
    union all select expires_at_ms, typeof(expires_at_ms) from sessions
  `.execute(db);
  assert.deepEqual(
    rows.map((row) => ({ ...(row as object) })),
    [
      { at: 1700000000000, type: 'integer' },
      { at: 1700000000001, type: 'integer' },
    ],
  );
  const after = await sql`select * from accounts where id <> 'berta'`.execute(db);
  assert.deepEqual(after.rows, before.rows);
});

async function indexNames(db: Database): Promise<string[]> {
  const { rows } = await (isPostgres(db)
    ? sql<{ name: string }>`select indexname as name from pg_indexes where tablename = 'accounts'`
    : sql<{
        name: string;
      }>`select name from sqlite_schema where tbl_name = 'accounts' and type = 'index'`
  ).execute(db);
  return rows.map(({ name }) => name).sort();
}

test('four processes that start at once on an empty PostgreSQL database migrate it once', async () => {
  const database = await createPostgresDatabase();
  const config = { databaseUrl: database.url, dataDir: '' };
  const processes = [1, 2, 3, 4].map(() => openDatabase(config, { noStatementTimeout: true }));
  try {
    const ran = await Promise.all(processes.map((db) => migrate(db)));
    const [did, ...others] = ran.toSorted((a, b) => b.length - a.length);
    assert.notDeepEqual(did, []);
    assert.deepEqual(others, [[], [], []]);
  } finally {
    await Promise.all(processes.map((db) => db.destroy()));
    await database.drop();
  }
});
