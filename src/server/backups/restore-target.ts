import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { sqliteFile } from '../config/data-dir.ts';
import { tryRestoreLocks } from '../database/locks/advisory-lock.ts';
import { readMigrations } from '../database/migrations/migrate.ts';
import { findTables } from '../database/read-rows.ts';
import type { Database } from '../database/tables.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { listenerName } from '../live/bus/postgres-live-bus.ts';
import { InUse, OperatorError } from '../operator-error.ts';
import type { Manifest } from './manifest.ts';

const refusal = (found: string) =>
  `A backup is restored into an empty database and image store only, while no server runs on them. ${found} Nothing was changed.`;

/** The database or the image store that a backup should be restored into has data. */
export class UnfitTarget extends OperatorError {
  constructor(found: string) {
    super(refusal(found));
  }
}

/**
 * Two sites must not share images, which the backup's own site may still have here: what one of them erases would be
 * missing in the other.
 * @throws UnfitTarget when the store has images
 */
export async function requireNoImages(images: ImageStore): Promise<void> {
  for await (const { key } of images.list()) {
    throw new UnfitTarget(
      `The image store has images, for example ${key}. If a restore that failed has left them, and the database is empty, delete them.`,
    );
  }
}

/** @throws UnfitTarget when there is an SQLite database in the data folder */
export function requireNoSqlite(dataDir: string): void {
  const file = sqliteFile(dataDir);
  for (const name of [file, `${file}-wal`]) {
    if (existsSync(name)) throw new UnfitTarget(`${name} exists.`);
  }
}

/**
 * Locks a PostgreSQL database until the end of the transaction that fills it, and accepts empty tables
 * that are no newer than the backup's.
 * @throws UnfitTarget; InUse when a server or another restore works on the database
 */
export async function lockEmptyPostgres(trx: Database, { migrations }: Manifest): Promise<void> {
  if (!(await tryRestoreLocks(trx))) {
    throw new InUse(refusal('Another restore or a start works on the database: wait for it.'));
  }
  const newer = (await readMigrations(trx)).filter((name) => !migrations.includes(name));
  if (newer.length > 0) {
    throw new UnfitTarget(`The database has tables of another version (${newer.join(', ')}).`);
  }
  for (const { name } of await findTables(trx)) {
    // It has its row from the beginning.
    if (name === 'site') continue;
    const row = await trx
      .selectFrom(name as 'accounts')
      .selectAll()
      .limit(1)
      .executeTakeFirst();
    if (row) throw new UnfitTarget(`The database has rows in ${name}.`);
  }
  await requireNoServer(trx);
}

/** Each server process has a listening connection. @throws InUse */
export async function requireNoServer(trx: Database): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${listenerName} limit 1
  `.execute(trx);
  if (rows.length > 0) throw new InUse(refusal('A server runs on the database: stop it first.'));
}
