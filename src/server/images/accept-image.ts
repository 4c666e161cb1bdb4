import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { UploadUse } from '../../shared/images.ts';
import type { Database } from '../database/tables.ts';
import { createLimit } from '../http/limits/bounded-queue.ts';
import { unlessMissing } from '../system/missing.ts';
import type { Config } from '../system/settings/config.ts';
import { decodeUpload } from './decoder.ts';
import { ImageQuotaExceeded } from './errors.ts';
import { readFileUpload } from './file-kinds.ts';
import { safeFileName } from './file-names.ts';
import {
  claimName,
  contentHash,
  filePath,
  imagePaths,
  type NamingServices,
} from './image-names.ts';
import type { MadeImage } from './image-processing.ts';
import { exceedsQuota, type ImageRow, replaceObjects, type UnnamedImage } from './image-queries.ts';
import { deleteUnconfirmed, insertOrphanedObjects, insertUnconfirmed } from './object-rows.ts';
import type { ImageStore } from './stores/image-store.ts';
import { contentTypeOf, fullVariant, objectKey, objectKeysOf } from './stores/storage-keys.ts';

/** Bytes hashed at once. */
const hashedBytes = 1024 * 1024;

export interface ReceivedUpload {
  /** Path of the complete upload. */
  file: string;
  /** Name that the client gave, not sanitized. */
  fileName: string;
  use: UploadUse;
  accountId: string;
}

export interface ImageServices extends NamingServices {
  db: Database;
  images: ImageStore;
  config: Pick<Config, 'accountQuotaMb'>;
  now: () => number;
}

/** The whole bytes of a file are in memory until they are stored, so the others wait with theirs on disk. */
const storingFiles = createLimit(2);

/**
 * Makes an image and its variants from an upload, or takes a file as it is, and stores it.
 * @throws ImageRejected, StoreUnavailable; ApiError `unavailable` when too many uploads wait
 */
export async function acceptUpload(
  services: ImageServices,
  received: ReceivedUpload,
): Promise<ImageRow> {
  const { file, fileName, use } = received;
  if (use !== 'file') return store(services, received, await decodeUpload(file, use));
  return storingFiles(async () => store(services, received, await readFileUpload(file, fileName)));
}

/**
 * Records which objects follow, stores them, then inserts the image's row. So no row points to a missing object, and no
 * object is without a row: housekeeping removes objects that a failure or a crash leaves behind.
 */
async function store(
  services: ImageServices,
  { accountId, use, fileName }: ReceivedUpload,
  made: MadeImage,
): Promise<ImageRow> {
  const { db, images, now, config, hasFormerNames } = services;
  const { full } = made;
  const objects = new Map([[fullVariant, full.bytes], ...made.variants]);
  const storedBytes = objects.values().reduce((sum, { length }) => sum + length, 0);
  if (!services.isImport && (await exceedsQuota(services, accountId, storedBytes))) {
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
    md5: await md5Of(full.bytes),
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
  const paths =
    use === 'file'
      ? [filePath(safeFileName(fileName, made.extensions, 'documento'))]
      : imagePaths(safeFileName(fileName, made.extensions), image.content_hash, hasFormerNames);
  const row = await claimName(services, image, paths);
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

/** Hashes in parts, because twenty megabytes take a tenth of a second. */
async function md5Of(bytes: Buffer): Promise<string> {
  const hash = createHash('md5');
  for (let start = 0; start < bytes.length; start += hashedBytes) {
    hash.update(bytes.subarray(start, start + hashedBytes));
    await yieldToEventLoop();
  }
  return hash.digest('base64');
}

async function hasAllObjects(images: ImageStore, row: ImageRow): Promise<boolean> {
  const sizes = objectKeysOf(row).map((key) => images.size(key));
  return (await unlessMissing(Promise.all(sizes))) !== undefined;
}
