import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sharp, { type Metadata } from 'sharp';
import type { ImageUse } from '../../shared/images.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { safeFileName } from './file-names.ts';
import { claimName, type ImageRow } from './image-queries.ts';

const maxPixels = 24_000_000;

/** What the bytes may be, by sharp's name for it. */
const formats: Record<string, { contentType: string; extension: string }> = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  webp: { contentType: 'image/webp', extension: 'webp' },
  gif: { contentType: 'image/gif', extension: 'gif' },
  heif: { contentType: 'image/avif', extension: 'avif' },
};

export interface ReceivedImage {
  /** Path of the complete upload. */
  file: string;
  /** As the person's file was called; anything. */
  fileName: string;
  use: ImageUse;
  accountId: string;
}

/**
 * Takes an uploaded file in: decodes it to see that it is an image, keeps its bytes, then names it.
 * The bytes are safe before the row exists, so no row ever points to a missing file.
 * @throws Refusal `not_an_image`
 */
export async function acceptImage(
  { db, images, now }: Pick<Deps, 'db' | 'images' | 'now'>,
  received: ReceivedImage,
): Promise<ImageRow> {
  const bytes = await readFile(received.file);
  const { format, width, height } = await decode(bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const storageKey = `${sha256}.${format.extension}`;
  await images.write(storageKey, bytes, format.contentType);
  const timeMs = now();
  return claimName(
    db,
    {
      storage_key: storageKey,
      account_id: received.accountId,
      use: received.use,
      content_type: format.contentType,
      size_bytes: bytes.length,
      md5: createHash('md5').update(bytes).digest('base64'),
      width,
      height,
      created_at_ms: timeMs,
      updated_at_ms: timeMs,
    },
    safeFileName(received.fileName, format.extension),
    sha256,
  );
}

async function decode(bytes: Buffer) {
  let metadata: Metadata;
  try {
    const image = sharp(bytes, { failOn: 'warning', limitInputPixels: maxPixels });
    metadata = await image.metadata();
    // Looking at every pixel is what finds a file that was cut off.
    await image.stats();
  } catch {
    throw new Refusal('not_an_image');
  }
  const format = formats[metadata.format ?? ''];
  const isAvif = metadata.format !== 'heif' || metadata.compression === 'av1';
  if (!format || !isAvif) throw new Refusal('not_an_image');
  return { format, width: metadata.width, height: metadata.height };
}
