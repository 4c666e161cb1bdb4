import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';

interface Before {
  images: { full_path: string; path_key: string; content_hash: string };
  image_names: { name_hash: string; content_hash: string; generation: string };
}

/** The content that each image name was first given to, permanently. Frozen. */
export async function up(db: Kysely<Before>): Promise<void> {
  await db.schema
    .createTable('image_names')
    .addColumn('name_hash', 'text', (c) => c.primaryKey())
    .addColumn('content_hash', 'text', (c) => c.notNull())
    .addColumn('generation', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('image_names_by_generation')
    .on('image_names')
    .column('generation')
    .execute();
  const images = await db.selectFrom('images').select(['path_key', 'content_hash']).execute();
  for (const { path_key, content_hash } of images) {
    const name_hash = createHash('sha256').update(path_key).digest('base64url');
    // An empty generation: names given before this table are unknown.
    const row = { name_hash, content_hash, generation: '' };
    await db.insertInto('image_names').values(row).execute();
  }
}
