import type { FastifyBaseLogger } from 'fastify';
import type { ExpressionBuilder } from 'kysely';
import type { SendMailOptions } from 'nodemailer';
import { isPlainAddress } from '../../shared/plain-address.ts';
import type { ConfirmLock } from '../database/engine-type.ts';
import type { Database, Tables } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { retryWaitMs } from '../system/retries.ts';
import type { Config } from '../system/settings/config.ts';
import { dayMs } from '../system/times.ts';
import { type Mail, makeMail, type OtherMakers } from './make-mail.ts';
import {
  allRanks,
  arrivingMails,
  isNewsKind,
  limitOf,
  mailedMarks,
  mostGivenUp,
} from './queue-mail.ts';
import { classifyFailure, describeFailure, openTransport, type Transport } from './transport.ts';

/** Wait after a refusal of the address, and between mails to an account whose last ones were given up. */
const rareMs = 7 * dayMs;
/** Timeout for one mail, however slowly the mail server responds. */
const mailMs = 600_000;

export interface MailServices {
  config: Config;
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
  makers: OtherMakers;
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
  const allowed = allRanks.filter((rank) => Number(count) < limitOf(rank, dailyLimit));
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
  const startedMs = services.now();
  if (startedMs >= mail.ends_at_ms) {
    await settle(services, mail, 'late');
    return false;
  }
  const message = await makeMail(services, mail);
  if (!message) {
    await settle(services, mail, 'nothing left');
    return false;
  }
  if (!isPlainAddress(message.to.address)) {
    await settle(services, mail, 'refused');
    return false;
  }
  let failure = await deliver(services, transport, message);
  if (failure === 'text' && isNewsKind(mail.kind)) {
    // Otherwise a text that spam filters refuse would keep this and all later news from the account.
    const bare = await makeMail(services, mail, { isBare: true });
    if (bare) failure = await deliver(services, transport, bare);
  }
  if (failure) {
    if (failure === 'refused') await settle(services, mail, 'refused');
    else if (services.now() + retryWaitMs(mail.tries) >= mail.ends_at_ms)
      await settle(services, mail, (await isOnlyRefused(services, mail)) ? 'given up' : 'late');
    return false;
  }
  await settle(services, mail, 'sent', startedMs);
  return true;
}

/** @returns undefined when the server took the message @throws when the server cannot be used for any mail */
async function deliver(
  { stopping, log }: MailServices,
  transport: Transport,
  message: SendMailOptions,
): Promise<'refused' | 'text' | 'later' | undefined> {
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(mailMs)]);
    await transport.sendMail({ ...message, signal });
    return undefined;
  } catch (error) {
    const failure = classifyFailure(error);
    const description = describeFailure(error);
    // Not the error itself, because its fields name the recipient.
    if (failure === 'server') throw new Error(description);
    log?.warn(description);
    return failure;
  }
}

/** Whether the server has accepted another mail meanwhile. If it accepts none, the fault is the site's. */
async function isOnlyRefused({ db }: MailServices, mail: Mail): Promise<boolean> {
  const sent = await db
    .selectFrom('mails')
    .select('id')
    .where('sent_at_ms', '>=', mail.created_at_ms)
    .limit(1)
    .executeTakeFirst();
  return sent !== undefined;
}

/**
 * Stores the time of the next attempt before a mail is sent: if nothing can be stored, as on a full disk, it would
 * otherwise be sent again and again.
 * @returns false when the mail was cancelled, or another process has claimed it
 */
async function claim({ withTransaction, now }: MailServices, mail: Mail): Promise<boolean> {
  const { numUpdatedRows } = await withTransaction(`account ${mail.account_id}`, (trx) =>
    trx
      .updateTable('mails')
      .set({ tries: mail.tries + 1, next_try_at_ms: now() + retryWaitMs(mail.tries) })
      .where('id', '=', mail.id)
      .where('next_try_at_ms', '=', mail.next_try_at_ms)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/**
 * How a mail ended. `nothing left`: there was nothing left to say; `refused`: the address does not exist; `given up`:
 * the server answered with another refusal until the end, while it accepted other mails; `late`: there was no time for
 * another attempt, as when the server is down or accepts no mail of the site.
 */
type Outcome = 'sent' | 'nothing left' | 'refused' | 'given up' | 'late';

/**
 * Stores the outcome of a mail, also in its account if the mail was for the current address, or in its invitation.
 * @param nowMs for a sent mail, when it began to be sent: one that is accepted after midnight is of the day before
 */
async function settle(
  { withTransaction, now }: MailServices,
  mail: Mail,
  outcome: Outcome,
  nowMs = now(),
): Promise<void> {
  const sent_at_ms = outcome === 'sent' ? nowMs : null;
  await withTransaction(`account ${mail.account_id}`, async (trx) => {
    if (mail.email === null && outcome !== 'late') {
      await trx
        .updateTable('accounts')
        .set((eb) => changesOf(eb, mail, outcome, nowMs))
        .where('id', '=', mail.account_id)
        .execute();
    }
    if (mail.invitation_id !== null && (outcome === 'sent' || outcome === 'refused')) {
      await trx
        .updateTable('mailed_invitations')
        .set(outcome === 'sent' ? { sent_at_ms } : { refused_at_ms: nowMs })
        .where('id', '=', mail.invitation_id)
        .execute();
    }
    const ended = trx.updateTable('mails').set({ next_try_at_ms: null, sent_at_ms });
    await ended.where('id', '=', mail.id).execute();
  });
}

type Accounts = ExpressionBuilder<Tables, 'accounts'>;

function changesOf(eb: Accounts, mail: Mail, outcome: Exclude<Outcome, 'late'>, nowMs: number) {
  switch (outcome) {
    case 'sent':
      return {
        ...arrivingMails,
        ...(mail.kind === 'news' && { mailed_at_ms: nowMs }),
        ...coveredBy(eb, mail),
      };
    case 'nothing left':
      return coveredBy(eb, mail);
    case 'refused':
      return {
        mail_refused_at_ms: eb.fn.coalesce('mail_refused_at_ms', eb.val(nowMs)),
        mail_after_ms: nowMs + rareMs,
      };
    case 'given up':
      return {
        mails_given_up: eb('mails_given_up', '+', 1),
        // Not before the mail would have ended, so that one bad day counts once.
        mail_after_ms: eb
          .case()
          .when('mails_given_up', '>=', mostGivenUp - 1)
          .then(eb.val(mail.ends_at_ms + rareMs - dayMs))
          .else(eb.val(mail.ends_at_ms))
          .end(),
      };
  }
}

/** The mark of an account after a mail of news or notices. Other mails cover 0, which changes nothing. */
function coveredBy(eb: Accounts, { kind, notification_id }: Mail) {
  const mark = mailedMarks[isNewsKind(kind) ? kind : 'news'];
  const later = eb.case().when(mark, '<', notification_id).then(notification_id);
  return { [mark]: later.else(eb.ref(mark)).end() };
}
