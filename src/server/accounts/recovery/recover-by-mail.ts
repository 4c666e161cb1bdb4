import { hash } from 'node:crypto';
import type { WithTransaction } from '../../database/transactions.ts';
import { consumeInTransaction } from '../../http/limits/budgets.ts';
import { emailKey } from '../../mail/email-key.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { lockOpenAccount } from '../standing/open-account.ts';
import { createMailedLink } from './password-links.ts';

/**
 * Links per day for an account. Each client address may request fewer, so that no single stranger can use them all up.
 */
const perAddress = 3;
const perAccount = 20;

/**
 * Queues a mail with a password link to the confirmed address of an account. Does nothing if there is no such account,
 * or the links of the day are used up.
 * @param email as typed; the mail goes to the address of the account
 * @param addressKey of the requesting client
 */
export async function mailPasswordLink(
  { withTransaction, now }: { withTransaction: WithTransaction; now: () => number },
  email: string,
  addressKey: string,
): Promise<void> {
  const key = emailKey(email);
  await withTransaction(`e-mail ${key}`, async (trx) => {
    const account = await lockOpenAccount(trx, 'email_key', key);
    if (!account) return;
    const { id } = account.user;
    const confirmed = await trx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', id)
      .where('email_confirmed_at_ms', 'is not', null)
      .executeTakeFirst();
    if (!confirmed) return;
    const isUsedUp = async (by: string, points: number) =>
      (await consumeInTransaction(trx, `recoveryMail:${by}`, points, now())) > 0;
    if (await isUsedUp(hash('sha256', `${id} ${addressKey}`, 'base64url'), perAddress)) return;
    if (await isUsedUp(id, perAccount)) return;
    const mailId = await queueMail(trx, { accountId: id, kind: 'recover' }, now());
    await createMailedLink(trx, id, mailId, now());
  });
}
