import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Database } from '../database/tables.ts';
import type { ImageRow } from '../images/image-queries.ts';
import { type ImageStore, isMissing } from '../images/image-store.ts';
import { contentTypeOf, fullForm, keptForms, objectKey } from '../images/storage-keys.ts';

/** One form of a picture, as it lies in a store. */
export interface PictureObject {
  key: string;
  pictureId: string;
  contentType: string;
  /** What people know it by: `images/foto.png 500.webp`. */
  name: string;
  /** Base64; the database knows that of the whole picture only. */
  md5: string | undefined;
}

const pageSize = 50;
const publicMs = 60_000;

/**
 * All pictures of the moment, a page at a time; a picture that comes while they are read may be
 * among them or not.
 */
export async function* readPicturePages(db: Database): AsyncGenerator<ImageRow[]> {
  let after = '';
  for (;;) {
    const rows = await db
      .selectFrom('images')
      .selectAll()
      .where('picture_id', '>', after)
      .orderBy('picture_id')
      .limit(pageSize)
      .execute();
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.picture_id;
  }
}

export function objectsOf(row: ImageRow): PictureObject[] {
  return keptForms(row).map((form) => ({
    key: objectKey(row.picture_id, form),
    pictureId: row.picture_id,
    contentType: contentTypeOf(form, row.content_type),
    name: `${row.full_path} ${form}`,
    md5: form === fullForm ? row.md5 : undefined,
  }));
}

/** @returns undefined when there is no such object @throws when the store does not answer */
export async function findBytes(store: ImageStore, key: string): Promise<Buffer | undefined> {
  const stream = await findStream(store, key);
  return stream && buffer(stream);
}

/** SHA-256 of what lies in the store; undefined when there is nothing. */
export async function findSum(store: ImageStore, key: string): Promise<string | undefined> {
  const stream = await findStream(store, key);
  return stream && sumOf(stream);
}

/** SHA-256 of what anyone gets at the address; undefined when it is not there. */
export async function findPublicSum(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(publicMs) });
    if (response.ok && response.body) return await sumOf(response.body);
    await response.body?.cancel();
  } catch {
    // Nobody there, or too slow: in the end the picture cannot be had.
  }
  return undefined;
}

export async function sumOf(bytes: AsyncIterable<Uint8Array> | [Buffer]): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

async function findStream(store: ImageStore, key: string): Promise<Readable | undefined> {
  try {
    return await store.read(key);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
