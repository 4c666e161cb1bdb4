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

/** A small change of the schema, and one that writes every comment anew. They run one after the other. */
const migrations: [description: string, name: string, statement: string][] = [
  ['adds a column', '998-column', "alter table comments add column note text not null default ''"],
  ['changes every comment', '999-every', "update comments set note = 'x'"],
];

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Measures the start of a new version on the database of an older one. */
export async function upgrade(): Promise<Section[]> {
  const rows = await measure('SQLite', undefined);
  // Unlike the tests, this uses fsync, because it measures writes.
  const postgres = await OwnPostgres.start('fsync=on');
  try {
    process.env.TEST_POSTGRES_URL = postgres.serverUrl;
    rows.push(...(await measure('PostgreSQL', (await createPostgresDatabase()).url)));
  } finally {
    await postgres.remove();
  }
  return [
    {
      title: 'Update',
      columns: ['migration', 'copy of the rows', 'its size', 'migration', 'database before'],
      rows,
      notes: `A database with ${format.count(comments)} comments in 10,000 channels and its search index, while no server runs.`,
    },
  ];
}

async function measure(engine: string, databaseUrl: string | undefined): Promise<string[][]> {
  const forum = await startSearchForum(comments, databaseUrl);
  try {
    await forum.stopServer();
    const rows: string[][] = [];
    const known = { ...allMigrations };
    for (const [description, name, statement] of migrations) {
      const up = async (db: Kysely<unknown>) => void (await sql.raw(statement).execute(db));
      known[name] = { up };
      rows.push([`${engine}, ${description}`, ...(await timeUpgrade(forum, known))]);
    }
    return rows;
  } finally {
    await forum.remove();
  }
}

async function timeUpgrade(site: SiteData, known: typeof allMigrations): Promise<string[]> {
  const db = openDatabase(site, { noStatementTimeout: true });
  try {
    const sizeBefore = await engineOf(db).size(db);
    let copiedAtMs = Number.NaN;
    let copy = '';
    const startMs = performance.now();
    const print = (line: string) => {
      copiedAtMs = performance.now();
      copy = line.split(' was copied to ')[1] ?? '';
    };
    await upgradeDatabase(site, db, print, known);
    const endMs = performance.now();
    const { size } = await stat(copy);
    return [
      seconds(copiedAtMs - startMs),
      format.megabytes(size / 1e6),
      seconds(endMs - copiedAtMs),
      format.megabytes(sizeBefore / 1e6),
    ];
  } finally {
    await db.destroy();
  }
}
