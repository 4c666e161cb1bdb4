import { createHash, randomUUID } from 'node:crypto';
import type { ImageUse } from '../../shared/images.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/tables.ts';
import { unlessMissing } from '../missing.ts';
import { ImageQuotaExceeded } from './errors.ts';
import { safeFileName } from './file-names.ts';
import { claimName, contentHash, type NamingServices } from './image-names.ts';
import { makeImage } from './image-processing.ts';
import { exceedsQuota, type ImageRow, replaceObjects } from './image-queries.ts';
import type { ImageStore } from './stores/image-store.ts';
import { contentTypeOf, fullVariant, objectKey, objectKeysOf } from './stores/storage-keys.ts';

export interface ReceivedImage {
  /** Path of the complete upload. */
  file: string;
  /** Name that the client gave, not sanitized. */
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
 * Makes an image and its variants from an uploaded file, stores the objects, then inserts the row. The
 * objects are stored first, so that no row points to a missing object; objects left by a crash in
 * between are swept later.
 * @throws ImageRejected, StoreUnavailable; ApiError `unavailable` when too many images wait
 */
export async function acceptImage(
  services: ImageServices,
  received: ReceivedImage,
): Promise<ImageRow> {
  const { db, images, now, config } = services;
  const { accountId, use } = received;
  const made = await makeImage(received.file, use);
  const { full } = made;
  const objects = new Map([[fullVariant, full.bytes], ...made.variants]);
  const storedBytes = objects.values().reduce((sum, { length }) => sum + length, 0);
  if (await exceedsQuota(services, accountId, storedBytes)) {
    throw new ImageQuotaExceeded(config.accountQuotaMb);
  }

  // Ids are never reused, so that erasing one image cannot remove objects of another.
  const imageId = randomUUID();
  // Not awaited, because the store may have just failed; the sweep removes what remains.
  const removeObjects = () => {
    const removals = [...objects.keys()].map((variant) =>
      images.remove(objectKey(imageId, variant)),
    );
    Promise.all(removals).catch(() => {});
  };
  // In parallel, so that a store that does not answer costs one timeout.
  const writes = await Promise.allSettled(
    [...objects].map(([variant, bytes]) =>
      images.write(objectKey(imageId, variant), bytes, contentTypeOf(variant, made.contentType)),
    ),
  );
  const failed = writes.find((write) => write.status === 'rejected');
  if (failed) {
    removeObjects();
    throw failed.reason;
  }
  const timeMs = now();
  const image = {
    picture_id: imageId,
    account_id: accountId,
    use,
    content_type: made.contentType,
    size_bytes: full.bytes.length,
    stored_bytes: storedBytes,
    md5: createHash('md5').update(full.bytes).digest('base64'),
    content_hash: contentHash(use, accountId, full.bytes),
    width: full.width,
    height: full.height,
    largest_form: made.largestVariant,
    created_at_ms: timeMs,
    updated_at_ms: timeMs,
    used_at_ms: timeMs,
    withdrawn_at_ms: null,
  };
  // When this fails the row may have been committed, so the objects stay for the sweep to decide.
  const name = safeFileName(received.fileName, made.extensions);
  const row = await claimName(services, image, name);
  if (row.picture_id === imageId) return row;
  // The same image was already uploaded under this name; use the new objects only if some are lost.
  if (!(await hasAllObjects(images, row))) {
    const repaired = await replaceObjects(db, row, image);
    if (repaired) return repaired;
  }
  removeObjects();
  return row;
}

async function hasAllObjects(images: ImageStore, row: ImageRow): Promise<boolean> {
  const sizes = objectKeysOf(row).map((key) => images.size(key));
  return (await unlessMissing(Promise.all(sizes))) !== undefined;
}
