import type { Config } from '../config.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { readUsedBytes } from '../images/image-queries.ts';
import { requireDiskSpace } from './disk-reserve.ts';
import { UploadNotFound } from './errors.ts';
import type { Uploads } from './open-uploads.ts';
import type { OpenUpload } from './stores/upload-store.ts';

/** How many uploads of one account may be unfinished. */
const mostOpen = 5;

/**
 * Makes room for one more upload of an account: its bytes have to fit into the quota beside the
 * account's images and its other open uploads, and the stalest of those give way to a sixth one.
 * Two at once would both find the same room, so it is to be called under a lock of the account's,
 * which is held until the upload is created.
 * @param bytes declared ones, or as many as an upload may have
 * @throws ApiError `quota_exceeded`, `storage_full`
 */
export async function makeRoom(
  {
    db,
    config,
    uploads,
  }: { db: Database; config: Pick<Config, 'accountQuotaMb' | 's3' | 'dataDir'>; uploads: Uploads },
  accountId: string,
  bytes: number,
  maxBytes: number,
): Promise<void> {
  if (!config.s3) await requireDiskSpace(config.dataDir, bytes);
  const open = await (await uploads.store()).listOpen(accountId);
  const stalestFirst = open.toSorted(
    (one, other) =>
      // A complete one is being made an image of.
      Number(one.isComplete) - Number(other.isComplete) || one.progressAtMs - other.progressAtMs,
  );
  const surplus = Math.max(0, open.length + 1 - mostOpen);
  const declared = stalestFirst
    .slice(surplus)
    .reduce((sum, { size }) => sum + (size ?? maxBytes), bytes);
  if ((await readUsedBytes(db, accountId)) + declared > config.accountQuotaMb * 1024 * 1024) {
    throw new ApiError('quota_exceeded', { detail: quotaDetail(config.accountQuotaMb, open) });
  }
  for (const { id } of stalestFirst.slice(0, surplus)) await end(uploads, id);
}

function quotaDetail(quotaMb: number, open: OpenUpload[]): string {
  if (open.length === 0) return `No cabe en los ${quotaMb} MB que tienes para tus imágenes.`;
  return `No cabe en los ${quotaMb} MB que tienes: cuentan también las subidas sin acabar. Acábalas o cancélalas, o vuelve a intentarlo dentro de una hora.`;
}

/** Deletes an upload under its lock, so that no request writes to it afterwards. */
async function end({ store, locker }: Uploads, id: string): Promise<void> {
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

/** Whether an error of our store or of tus's file store means that there is no such upload. */
function isUploadMissing(error: unknown): boolean {
  if (error instanceof UploadNotFound) return true;
  return error instanceof Object && 'status_code' in error && error.status_code === 404;
}
