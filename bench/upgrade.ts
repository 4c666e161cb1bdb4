import { stat } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { engineOf, openDatabase } from '../src/server/database/engine.ts';
import { allMigrations } from '../src/server/database/migrations/migrate.ts';
import { upgrade as upgradeDatabase } from '../src/server/operation/backups/upgrade.ts';
import { createPostgresDatabase } from '../test/forum/forum.ts';
import { OwnPostgres } from '../test/postgres/own-postgres.ts';
import type { SiteData } from './new-site.ts';
import { startSearchForum } from './search-forum.ts';
import { format, type Section } from './section.ts';

const comments = 200_000;

/** A small change of the schema, and one that writes every comment anew. */
const statements: Record<string, string> = {
  'add a column': "alter table comments add column note text not null default ''",
  'change every comment': "update comments set note = 'x'",
};

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Measures what the first start of a new version does with the database of an older one. */
export async function upgrade(): Promise<Section[]> {
  const rows = [['SQLite', ...(await measure(undefined))]];
  // Unlike the tests, this uses fsync, because it measures writes.
  const postgres = await OwnPostgres.start('fsync=on');
  try {
    process.env.TEST_POSTGRES_URL = postgres.serverUrl;
    rows.push(['PostgreSQL', ...(await measure((await createPostgresDatabase()).url))]);
  } finally {
    await postgres.remove();
  }
  return [
    {
      title: 'Update',
      columns: ['', 'database', 'copy of the rows', 'its size', ...Object.keys(statements), 'all'],
      rows,
      notes: `${format.count(comments)} comments in 10,000 channels with their search index, while no server runs; two migrations in one transaction.`,
    },
  ];
}

async function measure(databaseUrl: string | undefined): Promise<string[]> {
  const forum = await startSearchForum(comments, databaseUrl);
  try {
    await forum.stopServer();
    return await timeUpgrade(forum);
  } finally {
    await forum.remove();
  }
}

async function timeUpgrade(site: SiteData): Promise<string[]> {
  const db = openDatabase(site, { noStatementTimeout: true });
  try {
    const sizeBefore = await engineOf(db).size(db);
    const timesMs: number[] = [];
    const migrations = { ...allMigrations };
    for (const [index, statement] of Object.values(statements).entries()) {
      const up = async (trx: Kysely<unknown>) => {
        const startMs = performance.now();
        await sql.raw(statement).execute(trx);
        timesMs.push(performance.now() - startMs);
      };
      migrations[`99${index}-statement`] = { up };
    }
    let copiedAtMs = Number.NaN;
    let copy = '';
    const print = (line: string) => {
      copiedAtMs = performance.now();
      copy = line.split(' was copied to ')[1] ?? '';
    };
    const startMs = performance.now();
    await upgradeDatabase(site, db, print, migrations);
    const endMs = performance.now();
    return [
      format.megabytes(sizeBefore / 1e6),
      seconds(copiedAtMs - startMs),
      format.megabytes((await stat(copy)).size / 1e6),
      ...timesMs.map(seconds),
      seconds(endMs - startMs),
    ];
  } finally {
    await db.destroy();
  }
}
