import { megabytesText } from '../../../shared/number-texts.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { usableBytes } from '../../system/disk-reserve.ts';
import type { Config } from '../../system/settings/config.ts';
import { exceedsQuota } from '../image-queries.ts';
import type { Uploads } from './open-uploads.ts';
import { DiskFull } from './upload-errors.ts';

/** Maximum number of unfinished uploads of one account. */
const maxOpen = 5;

interface QuotaServices {
  db: Database;
  config: Pick<Config, 'accountQuotaMb' | 'dataDir'>;
  uploads: Uploads;
}

/**
 * Makes room for one more upload of an account: checks that its bytes fit into the quota along with the account's
 * images and its other open uploads on this machine, and removes the stalest uploads beyond five. Call it under a
 * lock on the account that is held until the upload is created, so that concurrent uploads of this process add up.
 * @param bytes declared length, or `maxBytes` when it is unknown
 * @param maxBytes limit of one upload
 * @throws ApiError `quota_exceeded`; DiskFull
 */
export async function makeRoom(
  services: QuotaServices,
  accountId: string,
  bytes: number,
  maxBytes: number,
): Promise<void> {
  const { config, uploads } = services;
  if ((await usableBytes(config.dataDir)) < bytes) throw new DiskFull();
  const open = (await (await uploads.store()).listOpen(accountId)).filter(({ isChat }) => !isChat);
  const stalestFirst = open.toSorted(
    (one, other) =>
      // Complete uploads come last, because they are being processed.
      Number(one.isComplete) - Number(other.isComplete) || one.progressAtMs - other.progressAtMs,
  );
  const surplus = Math.max(0, open.length + 1 - maxOpen);
  const declared = stalestFirst
    .slice(surplus)
    .reduce((sum, { size }) => sum + (size ?? maxBytes), bytes);
  if (await exceedsQuota(services, accountId, declared)) {
    throw quotaExceeded(config.accountQuotaMb, open.length);
  }
  for (const { id } of stalestFirst.slice(0, surplus)) await removeUpload(uploads, id);
}

/**
 * Makes room for a chat that an admin uploads, outside the quota: removes their other unfinished ones. Call it under the
 * same lock. @throws DiskFull
 */
export async function makeRoomForChat(
  { config, uploads }: Pick<QuotaServices, 'config' | 'uploads'>,
  accountId: string,
  bytes: number,
): Promise<void> {
  if ((await usableBytes(config.dataDir)) < bytes) throw new DiskFull();
  for (const { id, isChat } of await (await uploads.store()).listOpen(accountId))
    if (isChat) await removeUpload(uploads, id);
}

function quotaExceeded(quotaMb: number, openUploads: number): ApiError {
  const detail =
    openUploads > 0
      ? `No cabe en los ${megabytesText(quotaMb)} que tienes: también cuentan las subidas sin terminar. Termínalas, cancélalas o vuelve a intentarlo dentro de una hora.`
      : `No cabe en los ${megabytesText(quotaMb)} que tienes para tus imágenes y archivos. Elige algo que pese menos.`;
  return new ApiError('quota_exceeded', { detail });
}

/** Removes an upload under its lock, so that no request writes to it afterwards. */
async function removeUpload({ store, locker }: Uploads, id: string): Promise<void> {
  const lock = locker.newLock(id);
  await lock.lock(new AbortController().signal, () => {});
  try {
    await (await store()).remove(id).catch((error: unknown) => {
      // It may have been completed or cancelled just now.
      if (!isUploadMissing(error)) throw error;
    });
  } finally {
    await lock.unlock();
  }
}

/** Whether an error of tus's FileStore means that the upload does not exist. */
function isUploadMissing(error: unknown): boolean {
  return error instanceof Object && 'status_code' in error && error.status_code === 404;
}
