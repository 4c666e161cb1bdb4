import { limitOf } from '../accounts/email/queue-mail.ts';
import type { Config } from '../config/config.ts';
import { isPlainAddress } from '../config/mail-config.ts';
import type { ConfirmLock } from '../database/locks/advisory-lock.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { dayMs } from '../times.ts';
import { type Mail, makeMail } from './make-mail.ts';
import { classifyFailure, openTransport, type Transport } from './transport.ts';

/** Waits after a failure: this, twice as long after each further one, up to the longest. */
const firstWaitMs = 60_000;
const longestWaitMs = 4 * 3_600_000;
/** When a mail is given up. */
const triedMs = dayMs;
const ranks = [0, 1, 2];

export interface MailServices {
  config: Config;
  db: Database;
  transact: Transact;
  now: () => number;
  stopping: AbortSignal;
}

/**
 * Sends the mails that are due, while it holds the lock of mail.
 * @returns how many were sent
 * @throws an error of nodemailer when the mail server cannot be used; the mail is tried again later
 */
export async function sendMails(services: MailServices, confirmLock: ConfirmLock): Promise<number> {
  const { config, stopping } = services;
  if (!config.mail) return 0;
  const transport = await openTransport(config.mail);
  let sent = 0;
  for (;;) {
    const mail = await nextDue(services, config.mail.dailyLimit);
    if (!mail || stopping.aborted) return sent;
    // Another process that had the lock meanwhile would send the same.
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
  try {
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
    await transport.sendMail(message);
  } catch (error) {
    const failure = classifyFailure(error);
    if (failure === 'refused') await refuse(services, mail);
    // Also when it cannot be made: it must not keep others waiting.
    else await postpone(services, mail);
    if (failure === 'server') throw error;
    return false;
  }
  await markSent(services, mail);
  return true;
}

interface Settled {
  next_try_at_ms: number | null;
  tries?: number;
  sent_at_ms?: number;
}

/** Stores what became of a mail, and of its account when the mail was for its present address. */
async function settle(
  { transact }: MailServices,
  mail: Mail,
  settled: Settled,
  account?: { mail_refused_at_ms: number | null; mailed_at_ms?: number },
): Promise<void> {
  await transact(`account ${mail.account_id}`, async (trx) => {
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

function postpone(services: MailServices, mail: Mail): Promise<void> {
  const waitMs = Math.min(firstWaitMs * 2 ** mail.tries, longestWaitMs);
  const next_try_at_ms = services.now() + waitMs;
  return settle(services, mail, { next_try_at_ms, tries: mail.tries + 1 });
}

function markSent(services: MailServices, mail: Mail): Promise<void> {
  const nowMs = services.now();
  const account = {
    mail_refused_at_ms: null,
    ...(mail.kind === 'news' && { mailed_at_ms: nowMs }),
  };
  return settle(services, mail, { next_try_at_ms: null, sent_at_ms: nowMs }, account);
}
