import { createHash, randomUUID } from 'node:crypto';
import type { ImageUse } from '../../shared/images.ts';
import type { Database } from '../database/tables.ts';
import { unlessMissing } from '../system/missing.ts';
import type { Config } from '../system/settings/config.ts';
import { decodeUpload } from './decoder.ts';
import { ImageQuotaExceeded } from './errors.ts';
import { safeFileName } from './file-names.ts';
import { claimName, contentHash, type NamingServices } from './image-names.ts';
import { exceedsQuota, type ImageRow, replaceObjects, type UnnamedImage } from './image-queries.ts';
import { deleteUnconfirmed, insertOrphanedObjects, insertUnconfirmed } from './object-rows.ts';
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
 * Makes an image and its variants from an uploaded file, records which objects follow, stores them, then inserts the
 * image's row. So no row points to a missing object, and no object is without a row: housekeeping removes objects
 * that a failure or a crash leaves behind.
 * @throws ImageRejected, StoreUnavailable; ApiError `unavailable` when too many images wait
 */
export async function acceptImage(
  services: ImageServices,
  received: ReceivedImage,
): Promise<ImageRow> {
  const { db, images, now, config } = services;
  const { accountId, use } = received;
  const made = await decodeUpload(received.file, use);
  const { full } = made;
  const objects = new Map([[fullVariant, full.bytes], ...made.variants]);
  const storedBytes = objects.values().reduce((sum, { length }) => sum + length, 0);
  if (await exceedsQuota(services, accountId, storedBytes)) {
    throw new ImageQuotaExceeded(config.accountQuotaMb);
  }

  const timeMs = now();
  const image = {
    // Ids are never reused, so that erasing one image cannot remove objects of another.
    image_id: randomUUID(),
    account_id: accountId,
    use,
    content_type: made.contentType,
    size_bytes: full.bytes.length,
    stored_bytes: storedBytes,
    md5: createHash('md5').update(full.bytes).digest('base64'),
    content_hash: contentHash(use, accountId, full.bytes),
    width: full.width,
    height: full.height,
    largest_variant: made.largestVariant,
    created_at_ms: timeMs,
    updated_at_ms: timeMs,
    used_at_ms: timeMs,
    is_lost: 0,
  };
  await insertUnconfirmed(db, image, timeMs);
  // In parallel, so that a store that does not answer costs one timeout.
  const writes = await Promise.allSettled(
    [...objects].map(([variant, bytes]) =>
      images.write(
        objectKey(image.image_id, variant),
        bytes,
        contentTypeOf(variant, made.contentType),
      ),
    ),
  );
  const failed = writes.find((write) => write.status === 'rejected');
  // The store may still write some of them: housekeeping removes them after a day.
  if (failed) throw failed.reason;
  const row = await claimName(services, image, safeFileName(received.fileName, made.extensions));
  return row.image_id === image.image_id ? row : keepOne(services, row, image);
}

/** Keeps the objects of an image that its account has uploaded before, or the new ones if any of the old are lost. */
async function keepOne(
  { images, withTransaction }: ImageServices,
  former: ImageRow,
  image: UnnamedImage,
): Promise<ImageRow> {
  const isWhole = await hasAllObjects(images, former);
  return withTransaction(`image ${former.path_key}`, async (trx) => {
    await deleteUnconfirmed(trx, image.image_id);
    const repaired = isWhole ? undefined : await replaceObjects(trx, former, image);
    await insertOrphanedObjects(trx, [repaired ? former : image]);
    return repaired ?? former;
  });
}

async function hasAllObjects(images: ImageStore, row: ImageRow): Promise<boolean> {
  const sizes = objectKeysOf(row).map((key) => images.size(key));
  return (await unlessMissing(Promise.all(sizes))) !== undefined;
}
