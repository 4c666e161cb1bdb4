import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Kysely, sql } from 'kysely';
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

/** Number of statements of `longMigration`. */
export const longStatements = 6;

/** A migration that changes tables and rows in several statements. */
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
    for (const [i, statement] of statements.entries()) {
      await statement.execute(db);
      await afterEach(i + 1);
    }
  };
  return { ...allMigrations, '998-long': { up } };
}

/** Upgrades in another process and kills it after this statement of `longMigration`. */
export async function killUpgrade(
  { dataDir, databaseUrl = '' }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  statement: number,
): Promise<void> {
  const args = [import.meta.filename, dataDir, databaseUrl, String(statement)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  assert.equal(String(await once(child.stdout, 'data')), 'ready\n');
  child.kill('SIGKILL');
  await once(child, 'close');
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

/** Run as a program, prints `ready` after the given number of statements, and waits to be killed. */
if (import.meta.main) {
  const [dataDir = '', databaseUrl, statement] = process.argv.slice(2);
  const config = { dataDir, databaseUrl: databaseUrl || undefined };
  const migrations = longMigration(async (done) => {
    if (done !== Number(statement)) return;
    console.log('ready');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
  await upgrade(config, openDatabase(config, { noStatementTimeout: true }), () => {}, migrations);
}
