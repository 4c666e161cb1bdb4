import { erasedName } from '../../../shared/erased-name.ts';
import { deleteAccountRows } from '../../database/delete-rows.ts';
import type { ConfirmLock } from '../../database/locks/advisory-lock.ts';
import { correctUses, eraseRowsUnusedByOwner } from '../../images/image-queries.ts';
import { separateImages } from '../../images/separate-images.ts';
import { objectKeysOf } from '../../images/stores/storage-keys.ts';
import { deleteModeratorLinks } from '../recovery/password-links.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Erases the rows of an account in other tables, and its name, e-mail address, password and avatar. */
export async function eraseOwner(services: ErasureServices, id: string): Promise<void> {
  const { db, transact } = services;
  await deleteAccountRows(db, id);
  await transact(`account ${id}`, async (trx, announce) => {
    await trx
      .updateTable('accounts')
      .set({
        ...{ name: erasedName, name_key: null, name_changed_at_ms: null },
        ...{ email: '', email_key: null, password_hash: '', img: null, invitation_id: null },
      })
      .where('id', '=', id)
      .execute();
    await deleteModeratorLinks(trx, [id]);
    await announce({ kind: 'profile', accountId: id });
  });
}

/**
 * Erases the account's unused images, rows before bytes. Other people who use one, from before images had
 * one owner, get a copy first.
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
  // After a crash, housekeeping sweeps bytes without a row.
  for (const row of await eraseRowsUnusedByOwner(db, id, now())) {
    for (const key of objectKeysOf(row)) {
      await confirmLock();
      await images.remove(key);
    }
  }
}
