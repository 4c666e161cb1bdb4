import { erasedName } from '../../../shared/erased-name.ts';
import { deleteAccountRows } from '../../database/delete-rows.ts';
import { eraseUnused } from '../../images/sweep-images.ts';
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
        about: '',
        ...{ email_confirmed_at_ms: null, mail_secret: null, mail_refused_at_ms: null },
      })
      .where('id', '=', id)
      .execute();
    await deleteModeratorLinks(trx, [id]);
    await announce({ kind: 'profile', accountId: id });
  });
}

/** Erases the account's unused images. Housekeeping removes their objects. */
export async function eraseImages(services: ErasureServices, id: string): Promise<void> {
  await eraseUnused(services, services.now(), id);
}
