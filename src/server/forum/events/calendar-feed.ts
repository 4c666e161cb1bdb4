import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { isMember } from '../../accounts/standing/members.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { mailToken } from '../../mail/queue-mail.ts';
import { dayMs } from '../../system/times.ts';
import { isDateVisible } from './calendar.ts';
import type { FileDate } from './calendar-file.ts';
import type { DateRow, EventRow } from './event-rows.ts';

/** Past dates that a subscription still has. */
const pastMs = 60 * dayMs;
/** Dates of one subscription. */
const maxDates = 1000;

/** The path of the subscription of an account, which is the same on each device until it is renewed. */
export async function calendarPath(db: Database, accountId: string): Promise<string> {
  return `/calendar/${await calendarSecret(db, accountId)}.ics`;
}

async function calendarSecret(db: Database, accountId: string): Promise<string> {
  const { calendar_renewals } = await db
    .selectFrom('accounts')
    .select('calendar_renewals')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return `${accountId}.${await mailToken(db, accountId, `calendar ${calendar_renewals}`)}`;
}

/** Makes the former path of an account's subscription answer nothing. */
export async function renewCalendar(
  { withTransaction }: { withTransaction: WithTransaction },
  accountId: string,
): Promise<void> {
  await withTransaction(`account ${accountId}`, (trx) =>
    trx
      .updateTable('accounts')
      .set((eb) => ({ calendar_renewals: eb('calendar_renewals', '+', 1) }))
      .where('id', '=', accountId)
      .where('erased_at_ms', 'is', null)
      .execute(),
  );
}

/** @returns the account of a subscription; undefined when it was renewed, or the account may not read any more */
export async function findSubscriber(
  db: Database,
  secret: string,
  nowMs: number,
): Promise<string | undefined> {
  const [id = ''] = secret.split('.', 1);
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('mail_secret', 'is not', null)
    .where(isMember(db, nowMs))
    .executeTakeFirst();
  if (!account) return undefined;
  const given = Buffer.from(secret);
  const valid = Buffer.from(await calendarSecret(db, id));
  return given.length === valid.length && timingSafeEqual(given, valid) ? id : undefined;
}

/** The dates of a subscription: all but those of channels that the account silenced, and those it answered with `no`. */
export async function listSubscribed(
  db: Database,
  accountId: string,
  nowMs: number,
): Promise<FileDate[]> {
  const { rows } = await sql<DateRow>`
    select * from event_dates where starts_at_ms > ${nowMs - pastMs} and ${isDateVisible}
      and not exists (select 1 from reading_positions as read where read.account_id = ${accountId}
        and read.channel_id = event_dates.channel_id and read.level = 'none')
      and not exists (select 1 from event_rsvps where event_rsvps.account_id = ${accountId}
        and event_rsvps.channel_id = event_dates.channel_id
        and event_rsvps.number = event_dates.number
        and event_rsvps.position = event_dates.position and event_rsvps.answer = 'no')
    order by starts_at_ms, channel_id, number, position limit ${sql.lit(maxDates)}`.execute(db);
  return withEvents(db, rows);
}

/** Adds to dates what they have in common with others of their comment. */
export async function withEvents(db: Database, dates: DateRow[]): Promise<FileDate[]> {
  const [first] = dates;
  if (!first) return [];
  const { rows } = await sql<EventRow>`
    select * from comment_events where exists (select 1 from event_dates
      where event_dates.channel_id = comment_events.channel_id
        and event_dates.number = comment_events.number
        and event_dates.starts_at_ms >= ${first.starts_at_ms})`.execute(db);
  const events = new Map(rows.map((row) => [`${row.channel_id} ${row.number}`, row]));
  return dates.flatMap((date) => {
    const event = events.get(`${date.channel_id} ${date.number}`);
    return event ? { event, date } : [];
  });
}
