import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { openDatabase } from '../../src/server/database/engine.ts';
import {
  allMigrations,
  type Migrations,
  readMigrations,
} from '../../src/server/database/migrations/migrate.ts';
import { findTables, readRows } from '../../src/server/database/read-rows.ts';
import type { Database } from '../../src/server/database/tables.ts';
import { upgrade } from '../../src/server/operation/backups/upgrade.ts';
import type { Config } from '../../src/server/system/settings/config.ts';

/** Number of statements of the last migration of `longMigration`. */
export const longStatements = 6;

/** The migrations of this version and one that changes tables and rows in several statements. */
export function longMigration(afterEach: (statement: number) => Promise<void>): Migrations {
  const statements = [
    sql`alter table accounts add column motto text not null default ''`,
    sql`update accounts set motto = name`,
    sql`create table mottoes (account_id text primary key, motto text not null)`,
    sql`insert into mottoes select id, motto from accounts`,
    sql`update accounts set name = 'changed'`,
    sql`alter table accounts drop column motto`,
  ];
  const up = async (db: Kysely<unknown>) => {
    for (const statement of statements) await statement.execute(db);
  };
  let done = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await afterEach(++done);
      return result;
    },
  };
  return Object.fromEntries(
    Object.entries({ ...allMigrations, '998-long': { up } }).map(([name, migration]) => [
      name,
      { up: (db: Kysely<unknown>) => migration.up(db.withPlugin(counting)) },
    ]),
  );
}

/**
 * Upgrades in another process by `longMigration` and kills it after this statement of the pending migrations.
 * @returns false when the pending migrations have fewer statements; then the upgrade is complete
 */
export async function killUpgrade(
  { dataDir, databaseUrl = '' }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  statement: number,
): Promise<boolean> {
  const args = [import.meta.filename, dataDir, databaseUrl, String(statement)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = String(await once(child.stdout, 'data'));
  assert.match(said, /^(ready|complete)\n$/);
  child.kill('SIGKILL');
  await once(child, 'close');
  return said === 'ready\n';
}

/** All columns and rows of a database, and its migrations. */
export function readContents(db: Database) {
  return db.transaction().execute(async (trx) => {
    const tables = await trx.introspection.getTables({ withInternalKyselyTables: true });
    const rows = [];
    for (const table of await findTables(trx))
      rows.push((await Array.fromAsync(readRows(trx, table))).flat());
    const shapes = tables.map(({ name, columns }) => [name, columns.map((one) => one.name)]);
    return { shapes, rows, migrations: await readMigrations(trx) };
  });
}

/** Run as a program, prints `ready` after the given number of statements, or `complete`, and waits to be killed. */
if (import.meta.main) {
  const [dataDir = '', databaseUrl, statement] = process.argv.slice(2);
  const config = { dataDir, databaseUrl: databaseUrl || undefined };
  const waitAfter = async (word: string) => {
    console.log(word);
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  };
  const migrations = longMigration(async (done) => {
    if (done === Number(statement)) await waitAfter('ready');
  });
  await upgrade(config, openDatabase(config, { noStatementTimeout: true }), () => {}, migrations);
  await waitAfter('complete');
}
