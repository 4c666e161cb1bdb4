import { type Kysely, sql } from 'kysely';
import { upgrade } from '../../src/server/backups/upgrade.ts';
import { openDatabase } from '../../src/server/database/database.ts';
import { allMigrations, type Migrations } from '../../src/server/database/migrations/migrate.ts';

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
