import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { createPostgresDatabase, engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import { openDatabase } from '../engine.ts';
import { ForeignDatabase, OtherVersion } from '../errors.ts';
import type { Database } from '../tables.ts';
import { allMigrations, type Migrations, migrate, migrationNames } from './migrate.ts';

/** The migrations of this version and a later one. */
const withLast = (up: (trx: Database) => Promise<void>): Migrations => ({
  ...allMigrations,
  '999-last': { up },
});

const addMotto = async (trx: Database) => {
  await sql`alter table accounts add column motto text not null default ''`.execute(trx);
};

for (const engine of engines) {
  describe(`migrate (${engine})`, () => {
    test('makes all tables or none, and does nothing on the next call', async (t) => {
      const db = await openEmptyDatabase(t, engine);
      const failing = withLast(() => Promise.reject(new Error('no such luck')));
      await assert.rejects(migrate(db, { migrations: failing }), /no such luck/);
      await assert.rejects(db.selectFrom('accounts').selectAll().execute(), /accounts/);
      assert.deepEqual(await migrate(db), migrationNames);
      assert.deepEqual(await migrate(db), []);
    });

    test('runs pending migrations on a database with rows, or changes nothing when one fails', async (t) => {
      const db = await openEmptyDatabase(t, engine);
      await migrate(db);
      await db
        .insertInto('accounts')
        .values({
          id: 'berta',
          name: 'Berta',
          email: '',
          email_key: 'b',
          password_hash: '',
          created_at_ms: 1,
        })
        .execute();
      const failing = withLast(async (trx) => {
        await addMotto(trx);
        throw new Error('no such luck');
      });
      await assert.rejects(migrate(db, { migrations: failing }), /no such luck/);
      await assert.rejects(sql`select motto from accounts`.execute(db), /motto/);
      const migrations = withLast(addMotto);
      assert.deepEqual(await migrate(db, { migrations }), ['999-last']);
      const { rows } = await sql`select name, motto from accounts`.execute(db);
      assert.deepEqual({ ...(rows[0] as object) }, { name: 'Berta', motto: '' });
    });

    test('002 stores zones apart from quiet nights, lets refused addresses be tried again, and ends mails a day later', async (t) => {
      const db = await openEmptyDatabase(t, engine);
      await migrate(db, { upTo: '001-baseline' });
      const add = (id: string, zone: string | null, refusedMs: number | null) =>
        sql`insert into accounts (id, name, email, email_key, password_hash, created_at_ms, quiet_zone, mail_refused_at_ms)
          values (${id}, ${id}, ${id}, ${id}, '', 1, ${zone}, ${refusedMs})`.execute(db);
      await add('ana', 'Europe/Madrid', null);
      await add('bea', null, 5000);
      await sql`insert into mails (id, account_id, kind, rank, created_at_ms, next_try_at_ms)
        values ('mail', 'ana', 'news', 2, 7000, 8000)`.execute(db);
      assert.deepEqual(await migrate(db, { upTo: '002-zones' }), ['002-zones']);
      const plain = (rows: unknown[]) => rows.map((row) => ({ ...(row as object) }));
      const accounts =
        await sql`select id, zone, quiet_nights, mails_given_up, mail_after_ms from accounts order by id`.execute(
          db,
        );
      assert.deepEqual(plain(accounts.rows), [
        { id: 'ana', zone: 'Europe/Madrid', quiet_nights: 1, mails_given_up: 0, mail_after_ms: 0 },
        { id: 'bea', zone: null, quiet_nights: 0, mails_given_up: 0, mail_after_ms: 604_805_000 },
      ]);
      const mails = await sql`select ends_at_ms from mails`.execute(db);
      assert.deepEqual(plain(mails.rows), [{ ends_at_ms: 86_407_000 }]);
      await assert.rejects(sql`select quiet_zone from accounts`.execute(db), /quiet_zone/);
    });

    test('004 merges the index of a site with rows at the next housekeeping', async (t) => {
      const db = await openEmptyDatabase(t, engine);
      const { '004-merges-and-audit': tested, ...earlier } = allMigrations;
      await migrate(db, { migrations: earlier });
      await sql`insert into search_state (id, version, remaining) values (1, 7, 0)`.execute(db);
      await sql`insert into audit_log values ('a', 1, 'owner', 'end-session', 'b', '')`.execute(db);
      assert.ok(tested);
      await tested.up(db);
      const { rows } = await sql`select version, merge_at_ms from search_state`.execute(db);
      assert.deepEqual({ ...(rows[0] as object) }, { version: 7, merge_at_ms: 0 });
      const entries = await sql`select id from audit_log where actor = 'owner'`.execute(db);
      assert.equal(entries.rows.length, 1);
    });

    test('refuses tables of another program, and tables without a list of migrations', async (t) => {
      const db = await openEmptyDatabase(t, engine);
      await sql`create table users (id integer)`.execute(db);
      await assert.rejects(migrate(db), ForeignDatabase);
      await sql`drop table users`.execute(db);
      await migrate(db);
      await sql`delete from kysely_migration`.execute(db);
      await assert.rejects(migrate(db), ForeignDatabase);
    });

    test('refuses a database of another version and leaves it alone', async (t) => {
      for (const [name, advice] of [
        ['999-last', 'is newer than this version'],
        ['001-forum', 'from before 1.0.0'],
        ['001-baseline-00000000', 'from before 1.0.0'],
      ] as const) {
        const db = await openEmptyDatabase(t, engine);
        await migrate(db, { migrations: { [name]: { up: addNothing } } });
        await assert.rejects(migrate(db), (error) => {
          assert.ok(error instanceof OtherVersion);
          assert.match(error.message, RegExp(`\\b${name}\\b`));
          assert.match(error.message, RegExp(advice));
          return true;
        });
        await assert.rejects(db.selectFrom('accounts').selectAll().execute(), /accounts/);
      }
    });
  });
}

const addNothing = async () => {};

test('the baseline is as it was released in 1.0.0', async () => {
  const text = await readFile(path.join(import.meta.dirname, '001-baseline.ts'));
  const hash = createHash('sha256').update(text).digest('hex');
  assert.equal(hash, '7bd1e0a991a37b4a54883101309f783d65c68bbbaf53b4a2ec2d01a277b6ac79');
});

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
