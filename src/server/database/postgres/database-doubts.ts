import { sql } from 'kysely';
import type { Database } from '../tables.ts';
import { readVersion } from './server-version.ts';

/** Oldest major version that records the version of the database's own collation. */
const oldestRecording = 15;

/** Sentences about how the database was made or moved, by which texts are stored or found wrongly. */
export async function findDoubts(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string; encoding: string }>`
    select datname as name, pg_encoding_to_char(encoding) as encoding
    from pg_database where datname = current_database()
  `.execute(db);
  const changed = await findChangedCollation(db);
  return rows.flatMap(({ name, encoding }) => [
    ...(encoding === 'UTF8'
      ? []
      : [
          `The PostgreSQL database ${name} has the encoding ${encoding}, so that texts are cut within letters or cannot be stored. Make another one with: create database NAME template template0 encoding 'UTF8'. Then restore a backup into it`,
        ]),
    ...(changed
      ? [
          `The collation of the PostgreSQL database ${name} was of version ${changed.recorded} and is now of ${changed.actual}, as after an update of the operating system, so that its indexes may be in the wrong order and miss rows. Run: reindex database "${name}"; then: alter database "${name}" refresh collation version`,
        ]
      : []),
  ]);
}

/** @returns undefined when the versions are the same, or when none is recorded, as before PostgreSQL 15 */
async function findChangedCollation(db: Database) {
  if (Number.parseInt(await readVersion(db), 10) < oldestRecording) return undefined;
  const { rows } = await sql<{ recorded: string; actual: string }>`
    select datcollversion as recorded, pg_database_collation_actual_version(oid) as actual
    from pg_database where datname = current_database()
      and datcollversion <> pg_database_collation_actual_version(oid)
  `.execute(db);
  return rows[0];
}
