import { randomUUID } from 'node:crypto';
import { findGeneration } from '../database/site-generation.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { forEachDespiteErrors } from '../despite-errors.ts';
import { copyObjects } from './copy-objects.ts';
import { claimName, contentHash } from './image-names.ts';
import { findSharedImages, type ImageRow } from './image-queries.ts';
import type { ImageStore } from './stores/image-store.ts';

interface SeparatingServices {
  db: Database;
  transact: Transact;
  images: ImageStore;
  now: () => number;
}

/**
 * Gives each account that shows an image of another account its own copy, since earlier versions let
 * accounts share images. An interrupted call is continued by the next one, and concurrent copies get
 * one row; unused objects are swept. A failure of one image does not stop the others.
 * @param ownerId limits it to images of this account
 */
export async function separateImages(
  services: SeparatingServices,
  ownerId?: string,
): Promise<void> {
  const shared = await findSharedImages(services.db, ownerId);
  await forEachDespiteErrors(shared, ({ user_id, ...image }) => giveCopy(services, image, user_id));
}

async function giveCopy(
  services: SeparatingServices,
  image: ImageRow,
  accountId: string,
): Promise<void> {
  const copy = await copyImage(services, image, accountId);
  if (copy) await showCopy(services, image.url, copy.url, accountId);
}

/** @returns undefined when the image's objects are lost */
async function copyImage(
  services: SeparatingServices,
  image: ImageRow,
  accountId: string,
): Promise<ImageRow | undefined> {
  const { db, images, now } = services;
  const imageId = randomUUID();
  const { full, isWhole, written } = await copyObjects(images, image, imageId);
  // The sweep removes the copies.
  if (!full || !isWhole) return undefined;
  const content_hash = contentHash(image.use, accountId, full);
  const hashPart = `-${image.content_hash.slice(0, 8)}.`;
  const name = image.full_path.slice('images/'.length).replace(hashPart, '.');
  const generation = (await findGeneration(db)) ?? '';
  const row = await claimName(
    { ...services, generation, hasFormerNames: true },
    { ...image, account_id: accountId, picture_id: imageId, content_hash, used_at_ms: now() },
    name,
    'any',
  );
  if (row.picture_id !== imageId) await Promise.all(written.map((key) => images.remove(key)));
  return row;
}

/** Replaces one URL by another wherever the account shows it. */
async function showCopy(
  { transact }: SeparatingServices,
  from: string,
  to: string,
  accountId: string,
): Promise<void> {
  await transact(`account ${accountId}`, async (trx, announce) => {
    const own = trx.selectFrom('channels').select('id').where('account_id', '=', accountId);
    await trx
      .updateTable('channel_versions')
      .set({ cover: to })
      .where('cover', '=', from)
      .where('channel_id', 'in', own)
      .execute();
    await trx
      .updateTable('channels')
      .set({ cover: to })
      .where('cover', '=', from)
      .where('account_id', '=', accountId)
      .execute();
    await trx
      .updateTable('accounts')
      .set({ img: to })
      .where('img', '=', from)
      .where('id', '=', accountId)
      .execute();
    await announce({ kind: 'profile', accountId });
  });
}
