import { createHash, randomUUID } from 'node:crypto';
import type { ImageUse } from '../../shared/images.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { safeFileName } from './file-names.ts';
import { makeImage } from './image-processing.ts';
import {
  claimName,
  type ImageRow,
  type NamingServices,
  readUsedBytes,
  replaceObjects,
} from './image-queries.ts';
import { type ImageStore, isMissing } from './stores/image-store.ts';
import { contentTypeOf, fullVariant, objectKey, objectKeysOf } from './stores/storage-keys.ts';

export interface ReceivedImage {
  /** Path of the complete upload. */
  file: string;
  /** As the person's file was called; anything. */
  fileName: string;
  use: ImageUse;
  accountId: string;
}

export interface ImageServices extends NamingServices {
  db: Database;
  images: ImageStore;
  config: Pick<Config, 'accountQuotaMb'>;
  now: () => number;
}

/**
 * Takes an uploaded file in: makes its image and forms, keeps their bytes, then names it. The
 * bytes are safe before the row exists, so no row ever points to a missing file; what a crash
 * between the two leaves is swept away later.
 * @throws ApiError `not_an_image`, `image_too_large`, `quota_exceeded`
 */
export async function acceptImage(
  services: ImageServices,
  received: ReceivedImage,
): Promise<ImageRow> {
  const { db, images, now, config } = services;
  const { accountId, use } = received;
  const made = await makeImage(received.file, use, received.accountId);

  const { full, forms } = made;
  const storedBytes = [...forms.values()].reduce(
    (sum, { length }) => sum + length,
    full.bytes.length,
  );
  const quotaBytes = config.accountQuotaMb * 1024 * 1024;
  if ((await readUsedBytes(db, accountId)) + storedBytes > quotaBytes) {
    const detail = `Tus imágenes ya ocupan los ${config.accountQuotaMb} MB que tienes. No cabe otra.`;
    throw new ApiError('quota_exceeded', { detail });
  }

  const name = safeFileName(received.fileName, made.extensions);
  // Never used twice, so that clearing one image away can never take another's bytes.
  const imageId = randomUUID();
  const objects = new Map([[fullVariant, full.bytes], ...forms]);
  // Nobody waits for it: a store that has just failed may fail again, and there is the sweep.
  const forget = () => {
    const removals = [...objects.keys()].map((form) => images.remove(objectKey(imageId, form)));
    Promise.all(removals).catch(() => {});
  };
  const timeMs = now();
  // All at once, so that a store that does not answer is waited for once.
  const writes = await Promise.allSettled(
    [...objects].map(([form, bytes]) =>
      images.write(objectKey(imageId, form), bytes, contentTypeOf(form, made.contentType)),
    ),
  );
  const failed = writes.find((write) => write.status === 'rejected');
  if (failed) {
    forget();
    throw failed.reason;
  }
  const image = {
    picture_id: imageId,
    account_id: accountId,
    use,
    content_type: made.contentType,
    size_bytes: full.bytes.length,
    stored_bytes: storedBytes,
    md5: createHash('md5').update(full.bytes).digest('base64'),
    content_hash: createHash('sha256').update(use).update(full.bytes).digest('hex'),
    width: full.width,
    height: full.height,
    largest_form: made.largestVariant,
    created_at_ms: timeMs,
    updated_at_ms: timeMs,
    used_at_ms: timeMs,
  };
  // When this fails its row may be there all the same, so the bytes stay: the sweep knows.
  const row = await claimName(services, image, name);
  if (row.picture_id === imageId) return row;
  if (!(await isWhole(images, row))) {
    const mended = await replaceObjects(db, row, image);
    if (mended) return mended;
  }
  // The same name and bytes were here already.
  forget();
  return row;
}

async function isWhole(images: ImageStore, row: ImageRow): Promise<boolean> {
  const sizes = await Promise.all(
    objectKeysOf(row).map((key) => images.size(key).catch(undefinedIfMissing)),
  );
  return sizes.every((size) => size !== undefined);
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
