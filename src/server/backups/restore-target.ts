import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { openDatabase } from '../database/database.ts';
import { readMigrations } from '../database/migrations/migrate.ts';
import { findTables } from '../database/read-rows.ts';
import { sqliteFile } from '../database/sqlite/node-sqlite.ts';
import type { Database } from '../database/tables.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { OperatorError } from '../operator-error.ts';
import type { Config } from '../settings/config.ts';
import type { Manifest } from './manifest.ts';

/** The `application_name` of a server's listening connection (live-bus/postgres-live-bus.ts). */
const listenerName = 'tertulia live';

/** The database or the image store that a backup should be restored into is in use or has data. */
export class UnfitTarget extends OperatorError {
  constructor(found: string) {
    super(
      `A backup is restored into an empty database and image store only, while no server runs on them. ${found} Nothing was changed.`,
    );
  }
}

/**
 * Accepts an empty database on which no server runs and, unless the backup has rows only, an empty
 * image store.
 * @throws UnfitTarget
 */
export async function requireEmptyTarget(
  config: Config,
  images: ImageStore,
  manifest: Manifest,
): Promise<void> {
  if (config.databaseUrl) {
    const db = openDatabase(config, { noStatementTimeout: true });
    await requireEmptyPostgres(db, manifest).finally(() => db.destroy());
  } else {
    const file = sqliteFile(config.dataDir);
    for (const name of [file, `${file}-wal`]) {
      if (existsSync(name)) throw new UnfitTarget(`${name} exists.`);
    }
  }
  if (!manifest.pictures) return;
  for await (const { key } of images.list()) {
    throw new UnfitTarget(`The image store has images, for example ${key}.`);
  }
}

/** Accepts empty tables, if they are no newer than the backup's. */
async function requireEmptyPostgres(db: Database, { migrations }: Manifest): Promise<void> {
  const newer = (await readMigrations(db)).filter((name) => !migrations.includes(name));
  if (newer.length > 0) {
    throw new UnfitTarget(`The database has tables of another version (${newer.join(', ')}).`);
  }
  for (const { name } of await findTables(db)) {
    // A server writes these rows at its first start.
    if (name === 'site' || name === 'site_identity') continue;
    const row = await db
      .selectFrom(name as 'accounts')
      .selectAll()
      .limit(1)
      .executeTakeFirst();
    if (row) throw new UnfitTarget(`The database has rows in ${name}.`);
  }
  // Each server process has a listening connection.
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${listenerName} limit 1
  `.execute(db);
  if (rows.length > 0) throw new UnfitTarget('A server runs on the database: stop it first.');
}
