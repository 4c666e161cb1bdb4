import { erasedName } from '../../../shared/erased-name.ts';
import { deleteModeratorLinks } from '../../accounts/recovery/password-links.ts';
import { deleteAccountRows } from '../../database/delete-rows.ts';
import { arrivingMails } from '../../mail/queue-mail.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Erases an account's rows in other tables, and its name, e-mail address, password and avatar. */
export async function eraseOwner(
  { db, withTransaction }: ErasureServices,
  id: string,
): Promise<void> {
  await deleteAccountRows(db, id);
  await withTransaction(`account ${id}`, async (trx, announce) => {
    // The one that was mailed to this person.
    for (const [column, own] of [
      ['id', 'invitation_id'],
      ['email_key', 'email_key'],
    ] as const) {
      const value = trx.selectFrom('accounts').select(own).where('id', '=', id);
      await trx.deleteFrom('mailed_invitations').where(column, '=', value).execute();
    }
    await trx
      .updateTable('accounts')
      .set({
        name: erasedName,
        name_key: null,
        name_changed_at_ms: null,
        email: '',
        email_key: null,
        password_hash: '',
        img: null,
        invitation_id: null,
        about: '',
        email_confirmed_at_ms: null,
        mail_secret: null,
        zone: null,
        follow: null,
        recovery_reminded_at_ms: null,
        ...arrivingMails,
        // The values of a new account.
        important: 'now',
        calendar_renewals: 0,
        tells_channels: 1,
        mail_every: 'day',
        mail_moderation: 'hour',
        push_excerpts: 0,
        quiet_nights: 0,
        mailed_at_ms: 0,
        moderation_mailed_at_ms: 0,
      })
      .where('id', '=', id)
      .execute();
    await deleteModeratorLinks(trx, [id]);
    await announce({ kind: 'profile', accountId: id });
  });
}

/** Makes readers fetch again the channels of an erased account, and those where it still has comments. */
export async function announceErasure(services: ErasureServices, id: string): Promise<void> {
  const { db, withTransaction } = services;
  const written = db.selectFrom('comments').select('channel_id').where('account_id', '=', id);
  const opened = db.selectFrom('channels').select('id as channel_id').where('account_id', '=', id);
  for (const { channel_id } of await written.union(opened).execute()) {
    await withTransaction(`channel ${channel_id}`, (_trx, announce) =>
      announce({ kind: 'channel', channelId: channel_id }),
    );
  }
}
