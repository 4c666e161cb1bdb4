import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { limits } from '../../shared/limits.ts';
import { isPlainAddress } from '../../shared/plain-address.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { consumeInTransaction, waitText } from '../http/limits/budgets.ts';
import { dayMs } from '../system/times.ts';
import { findLinkAccount, hashOfToken } from './link-tokens.ts';
import { mailboxKey } from './mailbox-key.ts';
import { arrivingMails, giveUpMails, mailToken, queueMail } from './queue-mail.ts';

/** Lifetime of a link that confirms an address. */
const confirmationMs = limits.confirmationDays * dayMs;
/** Mails per day to one mailbox, which may not belong to the account's owner. */
const perMailbox = 3;

/**
 * Queues a mail with a link that confirms the account's current address, and invalidates the previous link. An address
 * that mail cannot be sent to is marked as refused instead, and counts towards no mailbox.
 * @param isLast whether the client has caused too many of them, so that this one is sent after all other mails
 * @throws ApiError `too_many_requests` with Retry-After when the mailbox has reached its daily limit, over all accounts
 */
export async function queueConfirmation(
  trx: Database,
  { id: accountId, email }: { id: string; email: string },
  { isLast, nowMs }: { isLast: boolean; nowMs: number },
): Promise<void> {
  if (!isPlainAddress(email)) {
    const refused = trx.updateTable('accounts').set({ mail_refused_at_ms: nowMs });
    await refused.where('id', '=', accountId).execute();
    return;
  }
  const mailbox = hash('sha256', mailboxKey(email), 'base64url');
  const seconds = await consumeInTransaction(trx, `mailbox:${mailbox}`, perMailbox, nowMs);
  if (seconds > 0) {
    throw new ApiError('too_many_requests', {
      detail: `A ese buzón ya le hemos enviado hoy ${perMailbox} enlaces para confirmarlo. Busca el último, también en el correo no deseado, o pide otro ${waitText(seconds)}.`,
      headers: { 'retry-after': String(seconds) },
    });
  }
  const endsAtMs = nowMs + confirmationMs;
  const mail = { accountId, kind: 'confirm' as const, endsAtMs, isLast };
  const mailId = await queueMail(trx, mail, nowMs);
  const link = {
    token_hash: hashOfToken(await mailToken(trx, accountId, mailId)),
    expires_at_ms: endsAtMs,
  };
  await trx
    .insertInto('email_confirmations')
    .values({ ...link, account_id: accountId })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(link))
    .execute();
}

/**
 * Queues another confirmation, unless the address is confirmed.
 * @throws ApiError errors of `queueConfirmation`
 */
export async function resendConfirmation(
  { withTransaction, now }: { withTransaction: WithTransaction; now: () => number },
  accountId: string,
  isLast: boolean,
): Promise<void> {
  await withTransaction(`account ${accountId}`, async (trx) => {
    const account = await trx
      .selectFrom('accounts')
      .select(['id', 'email'])
      .where('id', '=', accountId)
      .where('email_confirmed_at_ms', 'is', null)
      .where('erased_at_ms', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (account) await queueConfirmation(trx, account, { isLast, nowMs: now() });
  });
}

/** Whether an account was sent a link that can still confirm its address. */
export async function isConfirmationSent(
  db: Database,
  accountId: string,
  nowMs: number,
): Promise<boolean> {
  const link = await db
    .selectFrom('email_confirmations')
    .select('expires_at_ms')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return link !== undefined && link.expires_at_ms > nowMs;
}

/**
 * Confirms the address that the token was sent to. If the account was never mailed news, its mails begin with the first
 * decision about it, or else cover only later notifications.
 * @throws ApiError `confirmation_dead`
 */
export async function confirmEmail(
  {
    db,
    withTransaction,
    now,
  }: { db: Database; withTransaction: WithTransaction; now: () => number },
  token: string,
): Promise<void> {
  const id = await findLinkAccount(db, 'email_confirmations', token, now());
  if (id === undefined) throw new ApiError('confirmation_dead');
  await withTransaction(`account ${id}`, async (trx) => {
    // Locks the row first, as a change of the address does, which deletes the token.
    await trx
      .updateTable('accounts')
      .set({
        email_confirmed_at_ms: now(),
        ...arrivingMails,
      })
      .where('id', '=', id)
      .where('erased_at_ms', 'is', null)
      .execute();
    await trx
      .updateTable('accounts')
      .set({
        mailed_notification_id: sql`coalesce(
          (select min(id) - 1 from notifications where account_id = ${id} and kind = 'decision'),
          (select max(id) from notifications where account_id = ${id}), 0)`,
      })
      .where('id', '=', id)
      .where('mailed_at_ms', '=', 0)
      .execute();
    await trx
      .updateTable('accounts')
      .set({
        mailed_notice_id: sql`coalesce((select max(id) from notifications where account_id = ${id}), 0)`,
      })
      .where('id', '=', id)
      .execute();
    const used = await trx
      .deleteFrom('email_confirmations')
      .where('token_hash', '=', hashOfToken(token))
      .executeTakeFirst();
    if (used.numDeletedRows === 0n) throw new ApiError('confirmation_dead');
  });
}

/**
 * Marks a changed address as unconfirmed, invalidates the links sent to the former one, and notifies the former one if
 * it was confirmed. Call it in the transaction of the change, with the account's row locked.
 * @param hasMail whether the site sends mail
 * @throws ApiError errors of `queueConfirmation`
 */
export async function replaceAddress(
  trx: Database,
  account: { id: string; email: string },
  former: { email: string; email_confirmed_at_ms: number | null },
  { hasMail, ...sending }: { hasMail: boolean; isLast: boolean; nowMs: number },
): Promise<void> {
  const accountId = account.id;
  await trx
    .updateTable('accounts')
    .set({ email_confirmed_at_ms: null, ...arrivingMails, mail_secret: null })
    .where('id', '=', accountId)
    .execute();
  await trx.deleteFrom('email_confirmations').where('account_id', '=', accountId).execute();
  await trx.deleteFrom('password_links').where('account_id', '=', accountId).execute();
  await giveUpMails(trx, accountId);
  if (!hasMail) return;
  if (former.email_confirmed_at_ms !== null) {
    const { email } = former;
    await queueMail(trx, { accountId, kind: 'address-changed', email }, sending.nowMs);
  }
  await queueConfirmation(trx, account, sending);
}
