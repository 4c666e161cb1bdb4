import { erasedName } from '../../../shared/erased-name.ts';
import { deleteAccountRows } from '../../database/delete-rows.ts';
import type { ConfirmLock } from '../../database/locks/advisory-lock.ts';
import { correctUses, deleteUnusedImages } from '../../images/image-queries.ts';
import { separateImages } from '../../images/separate-images.ts';
import { objectKeysOf } from '../../images/stores/storage-keys.ts';
import type { ErasureServices } from './erasure-services.ts';

/**
 * Erases what signs the owner in, reading positions and keys of requests, and the name, e-mail address and
 * picture, wherever they are shown.
 */
export async function eraseOwner(services: ErasureServices, id: string): Promise<void> {
  const { db, transact, live } = services;
  await deleteAccountRows(db, id);
  await transact(`account ${id}`, async (trx) => {
    await trx
      .updateTable('accounts')
      .set({
        ...{ name: erasedName, name_key: null, name_changed_at_ms: null },
        ...{ email: '', email_key: null, password_hash: '', img: null },
      })
      .where('id', '=', id)
      .execute();
    await live.announce(trx, { kind: 'account', accountId: id });
  });
  live.publish({ kind: 'account', accountId: id });
}

/**
 * Removes the account's images that nothing of it shows any more, rows before bytes. Others who show
 * one from before images had one owner get a copy first.
 */
export async function eraseImages(
  services: ErasureServices,
  id: string,
  confirmLock: ConfirmLock,
): Promise<void> {
  const { db, images, now } = services;
  await separateImages(services, id);
  await correctUses(db, now());
  await confirmLock();
  // Bytes that a crash leaves without their row are swept by housekeeping.
  for (const row of await deleteUnusedImages(db, now(), id)) {
    for (const key of objectKeysOf(row)) {
      await confirmLock();
      await images.remove(key);
    }
  }
}
