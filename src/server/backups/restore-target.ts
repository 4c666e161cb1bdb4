import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { readMigrations } from '../database/migrations/migrate.ts';
import { findTables } from '../database/read-rows.ts';
import type { Database } from '../database/tables.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import type { Manifest } from './manifest.ts';

/** The `application_name` of a server's listening connection (live-bus/postgres-live-bus.ts). */
const listenerName = 'tertulia live';

/** The database or the image store that a backup should be restored into has data. */
export class NotEmpty extends Error {
  constructor(found: string) {
    super(
      `A backup is restored into an empty database and image store only. ${found} Nothing was changed.`,
    );
  }
}

/** A server runs on the database: it would continue with what it has in memory. */
export class ServerRunning extends Error {
  constructor() {
    super('A server is running on that database: stop it first. Nothing was changed.');
  }
}

/** @throws NotEmpty when there is an SQLite file or its write-ahead log */
export function requireNoSqlite(file: string): void {
  for (const name of [file, `${file}-wal`]) {
    if (existsSync(name)) throw new NotEmpty(`${name} exists.`);
  }
}

/** Accepts empty tables, if they are no newer than the backup's. @throws NotEmpty */
export async function requireNoRows(db: Database, { migrations }: Manifest): Promise<void> {
  const newer = (await readMigrations(db)).filter((name) => !migrations.includes(name));
  if (newer.length > 0) {
    throw new NotEmpty(`The database has tables of another version (${newer.join(', ')}).`);
  }
  for (const { name } of await findTables(db)) {
    // A server writes this row at its first start.
    if (name === 'site') continue;
    const row = await db
      .selectFrom(name as 'accounts')
      .selectAll()
      .limit(1)
      .executeTakeFirst();
    if (row) throw new NotEmpty(`The database has rows in ${name}.`);
  }
}

/** For PostgreSQL, where each server process has a listening connection. @throws ServerRunning */
export async function requireNoServer(db: Database): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${listenerName} limit 1
  `.execute(db);
  if (rows.length > 0) throw new ServerRunning();
}

/** Accepts images when the backup has rows only. @throws NotEmpty */
export async function requireNoImages(images: ImageStore, { pictures }: Manifest): Promise<void> {
  if (!pictures) return;
  for await (const { key } of images.list()) {
    throw new NotEmpty(`The image store has images, for example ${key}.`);
  }
}
