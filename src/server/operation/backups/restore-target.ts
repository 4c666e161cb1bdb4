import { readMigrations } from '../../database/migrations/migrate.ts';
import { findTables } from '../../database/read-rows.ts';
import type { Database } from '../../database/tables.ts';
import { UnfitTarget } from '../../database/unfit-target.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import type { Manifest } from './manifest.ts';

/**
 * Requires an empty image store. The backup's own site may still use the images there, and two sites must not share
 * images: one site would lose those that the other erases.
 * @throws UnfitTarget when the store has images
 */
export async function requireNoImages(images: ImageStore): Promise<void> {
  for await (const { key } of images.list()) {
    throw new UnfitTarget(
      `The image store has images, for example ${key}. If a restore that failed has left them, and the database is empty, delete them.`,
    );
  }
}

/** Accepts empty tables that are no newer than the backup's. @throws UnfitTarget */
export async function requireEmpty(db: Database, { migrations }: Manifest): Promise<void> {
  const newer = (await readMigrations(db)).filter((name) => !migrations.includes(name));
  if (newer.length > 0) {
    throw new UnfitTarget(`The database has tables of another version (${newer.join(', ')}).`);
  }
  for (const { name } of await findTables(db)) {
    // The migration inserts the row of `site`.
    if (name === 'site') continue;
    const row = await db
      .selectFrom(name as 'accounts')
      .selectAll()
      .limit(1)
      .executeTakeFirst();
    if (row) throw new UnfitTarget(`The database has rows in ${name}.`);
  }
}
