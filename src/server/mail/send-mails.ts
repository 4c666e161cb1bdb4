import type { FastifyBaseLogger } from 'fastify';
import type { ConfirmLock } from '../database/engine-type.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import type { Config } from '../system/settings/config.ts';
import { isPlainAddress } from '../system/settings/mail-config.ts';
import { dayMs } from '../system/times.ts';
import { type Mail, makeMail } from './make-mail.ts';
import { limitOf } from './queue-mail.ts';
import { classifyFailure, describeFailure, openTransport, type Transport } from './transport.ts';

/** Wait after a failure, doubled after each further one, up to the longest. */
const firstWaitMs = 60_000;
const longestWaitMs = 4 * 3_600_000;
/** Age at which a mail is abandoned. */
const triedMs = dayMs;
/** Timeout for one mail, however slowly the mail server responds. */
const mailMs = 120_000;
const ranks = [0, 1, 2];

export interface MailServices {
  config: Config;
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
  /** Aborts a mail that is being sent. */
  stopping: AbortSignal;
  log?: Pick<FastifyBaseLogger, 'warn'>;
}

/**
 * Sends the mails that are due, while it holds the mail lock.
 * @param ending no further mail is sent once it is aborted
 * @returns the number of mails sent
 * @throws when the mail server cannot be used; the mail is retried later
 */
export async function sendMails(
  services: MailServices,
  confirmLock: ConfirmLock,
  ending = services.stopping,
): Promise<number> {
  const { config } = services;
  if (!config.mail) return 0;
  const transport = await openTransport(config.mail);
  let sent = 0;
  for (;;) {
    const mail = await nextDue(services, config.mail.dailyLimit);
    if (!mail || ending.aborted) return sent;
    // If another process has taken the lock in the meantime, it would send the same mail.
    await confirmLock();
    if (await sendOne(services, transport, mail)) sent++;
  }
}

async function nextDue({ db, now }: MailServices, dailyLimit: number): Promise<Mail | undefined> {
  const { count } = await db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('sent_at_ms', '>', now() - dayMs)
    .executeTakeFirstOrThrow();
  const allowed = ranks.filter((rank) => Number(count) < limitOf(rank, dailyLimit));
  if (allowed.length === 0) return undefined;
  return db
    .selectFrom('mails')
    .selectAll()
    .where('rank', 'in', allowed)
    .where('next_try_at_ms', '<=', now())
    .orderBy('rank')
    .orderBy('next_try_at_ms')
    .limit(1)
    .executeTakeFirst();
}

/** @returns whether it was sent */
async function sendOne(services: MailServices, transport: Transport, mail: Mail): Promise<boolean> {
  if (!(await claim(services, mail))) return false;
  const isOld = services.now() - mail.created_at_ms >= triedMs;
  const message = isOld ? undefined : await makeMail(services, mail);
  if (!message) {
    await settle(services, mail, { next_try_at_ms: null });
    return false;
  }
  if (!isPlainAddress(message.to.address)) {
    await refuse(services, mail);
    return false;
  }
  try {
    const signal = AbortSignal.any([services.stopping, AbortSignal.timeout(mailMs)]);
    await transport.sendMail({ ...message, signal });
  } catch (error) {
    const failure = classifyFailure(error);
    const description = describeFailure(error);
    // Not the error itself, because its fields name the recipient.
    if (failure === 'server') throw new Error(description);
    services.log?.warn(description);
    if (failure === 'refused') await refuse(services, mail);
    return false;
  }
  await markSent(services, mail);
  return true;
}

/**
 * Stores the time of the next attempt before a mail is sent: if nothing can be stored, as on a full disk, it would
 * otherwise be sent again and again.
 * @returns false when the mail was cancelled, or another process has claimed it
 */
async function claim({ withTransaction, now }: MailServices, mail: Mail): Promise<boolean> {
  const waitMs = Math.min(firstWaitMs * 2 ** mail.tries, longestWaitMs);
  const { numUpdatedRows } = await withTransaction(`account ${mail.account_id}`, (trx) =>
    trx
      .updateTable('mails')
      .set({ tries: mail.tries + 1, next_try_at_ms: now() + waitMs })
      .where('id', '=', mail.id)
      .where('next_try_at_ms', '=', mail.next_try_at_ms)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

interface Settled {
  next_try_at_ms: null;
  sent_at_ms?: number;
}

/** Stores the outcome of a mail, and updates its account if the mail was sent to the current address. */
async function settle(
  { withTransaction }: MailServices,
  mail: Mail,
  settled: Settled,
  account?: { mail_refused_at_ms: number | null; mailed_at_ms?: number },
): Promise<void> {
  await withTransaction(`account ${mail.account_id}`, async (trx) => {
    if (account && mail.email === null) {
      await trx.updateTable('accounts').set(account).where('id', '=', mail.account_id).execute();
    }
    await trx.updateTable('mails').set(settled).where('id', '=', mail.id).execute();
  });
}

function refuse(services: MailServices, mail: Mail): Promise<void> {
  const nowMs = services.now();
  return settle(services, mail, { next_try_at_ms: null }, { mail_refused_at_ms: nowMs });
}

function markSent(services: MailServices, mail: Mail): Promise<void> {
  const nowMs = services.now();
  const account = {
    mail_refused_at_ms: null,
    ...(mail.kind === 'news' && { mailed_at_ms: nowMs }),
  };
  return settle(services, mail, { next_try_at_ms: null, sent_at_ms: nowMs }, account);
}
