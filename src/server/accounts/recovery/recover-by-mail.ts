import type { Transact } from '../../database/transactions.ts';
import { mailToken, queueMail } from '../email/queue-mail.ts';
import { emailKey } from '../email-key.ts';
import { lockOpenAccount } from '../open-account.ts';
import { createPasswordLink } from './password-links.ts';

/** A stranger who asks again and again must not keep invalidating the owner's link. */
const againMs = 5 * 60_000;

/**
 * Queues a mail with a link to a new password, to the confirmed address of an account; nothing where there is none, or
 * one was queued just before.
 * @param email as typed; the mail goes to the address of the account
 */
export async function mailPasswordLink(
  { transact, now }: { transact: Transact; now: () => number },
  email: string,
): Promise<void> {
  const key = emailKey(email);
  await transact(`e-mail ${key}`, async (trx) => {
    const account = await lockOpenAccount(trx, 'email_key', key);
    if (!account) return;
    const { id } = account.user;
    const confirmed = await trx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', id)
      .where('email_confirmed_at_ms', 'is not', null)
      .executeTakeFirst();
    const recent = await trx
      .selectFrom('mails')
      .select('id')
      .where('account_id', '=', id)
      .where('kind', '=', 'recover')
      .where('created_at_ms', '>', now() - againMs)
      .executeTakeFirst();
    if (!confirmed || recent) return;
    const mailId = await queueMail(trx, { accountId: id, kind: 'recover' }, now());
    if (mailId === undefined) return;
    await createPasswordLink(trx, id, now(), null, await mailToken(trx, id, mailId));
  });
}
