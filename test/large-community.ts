import { createHash, randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { Database } from '../src/server/database/tables.ts';
import type { ImageStore } from '../src/server/images/stores/image-store.ts';
import { objectKey, storedVariants } from '../src/server/images/stores/storage-keys.ts';

export interface CommunitySize {
  channels: number;
  comments: number;
  images: number;
  /** Of the whole image; its forms have a tenth. */
  imageBytes: number;
}

/**
 * Fills a forum with more than people could type: rows straight into its tables, bytes that only
 * look like images from afar straight into its store.
 */
export async function fillCommunity(
  { db, images }: { db: Database; images: ImageStore },
  size: CommunitySize,
): Promise<void> {
  const people = Array.from({ length: 100 }, (_, i) => ({
    id: uuid(),
    name: `Persona ${i} 🌻`,
    email: `Persona.${i}.${uuid()}@ejemplo.es`,
    email_key: `persona.${i}.${uuid()}@ejemplo.es`,
    password_hash: '$argon2id$nobody',
    img: null,
    created_at_ms: Date.now(),
  }));
  await db.insertInto('accounts').values(people).execute();
  const somebody = (i: number) => people[i % people.length]?.id ?? '';

  const perChannel = Math.ceil(size.comments / size.channels);
  const channels = Array.from({ length: size.channels }, (_, i) => ({
    id: uuid(),
    account_id: somebody(i),
    name: `Canal ${i}`,
    description: 'Lo que se dice al caer la tarde.',
    cover: '/default-avatar.svg',
    cover_alt: '',
    comment_count: perChannel,
    last_comment_number: perChannel,
    created_at_ms: Date.now(),
  }));
  await inBatches(channels, (rows) => db.insertInto('channels').values(rows).execute());
  const comments = Array.from({ length: size.comments }, (_, i) => ({
    channel_id: channels[Math.floor(i / perChannel)]?.id ?? '',
    number: (i % perChannel) + 1,
    account_id: somebody(i),
    text: `Comentario ${i}: «¡qué noche!» — ñandú, “o'clock” 👩‍👩‍👧 ${'palabra '.repeat(i % 20)}`,
    created_at_ms: Date.now(),
  }));
  await inBatches(comments, (rows) => db.insertInto('comments').values(rows).execute());
  for (let i = 0; i < size.images; i++) await addImage({ db, images }, somebody(i), i, size);
}

async function addImage(
  { db, images }: { db: Database; images: ImageStore },
  accountId: string,
  i: number,
  { imageBytes }: CommunitySize,
): Promise<void> {
  const full = randomBytes(imageBytes);
  const imageId = crypto.randomUUID();
  const name = `images/${i % 2 ? 'F' : 'f'}oto-${i}-${imageId}.jpg`;
  const row = {
    full_path: name,
    path_key: name.toLowerCase(),
    url: `/files/${name}`,
    picture_id: imageId,
    account_id: accountId,
    use: 'cover' as const,
    content_type: 'image/jpeg',
    size_bytes: full.length,
    stored_bytes: full.length,
    md5: createHash('md5').update(full).digest('base64'),
    content_hash: createHash('sha256').update(full).digest('hex'),
    width: 1000,
    height: 400,
    largest_form: 1000,
    created_at_ms: Date.now(),
    updated_at_ms: Date.now(),
    used_at_ms: Date.now(),
  };
  for (const [at, form] of storedVariants(row).entries()) {
    const bytes = at === 0 ? full : randomBytes(Math.ceil(imageBytes / 10));
    await images.write(objectKey(imageId, form), bytes, 'image/jpeg');
  }
  await db.insertInto('images').values(row).execute();
}

async function inBatches<T>(rows: T[], insert: (rows: T[]) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < rows.length; i += 500) await insert(rows.slice(i, i + 500));
}
