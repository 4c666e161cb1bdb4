import { type Selectable, type SqlBool, sql } from 'kysely';
import { type CommentKey, commentId } from '../../../shared/comment-id.ts';
import type { CommentEvent, EventDate } from '../../../shared/events.ts';
import { type Database, type Tables, toInstant } from '../../database/tables.ts';
import { type CommentRowKey, isAt } from '../comments/comment-keys.ts';
import type { EventContent } from './event-content.ts';
import { instantsOf, reminderOf, type WallTimes } from './event-times.ts';

export type EventRow = Selectable<Tables['comment_events']>;
export type DateRow = Selectable<Tables['event_dates']>;

/** Stores the dates of a comment, in the transaction that stores it. */
export async function insertEvent(
  trx: Database,
  { channelId, number }: CommentKey,
  { title, location, zone, allDay, capacity, dates }: EventContent,
  nowMs: number,
): Promise<void> {
  const key = { channel_id: channelId, number };
  const event = { title, location, zone, all_day: Number(allDay), capacity };
  await trx
    .insertInto('comment_events')
    .values({ ...key, ...event, changed_at_ms: nowMs })
    .execute();
  const rows = dates.map((date, position) => ({
    ...key,
    position,
    ...timeColumns(date, event, nowMs),
    cancelled_at_ms: null,
    told_start: date.start,
    told_end: date.end,
    told_location: location,
    differs_since_ms: null,
    before_start: null,
    before_end: null,
    before_location: null,
  }));
  await trx.insertInto('event_dates').values(rows).execute();
}

/** The columns that follow from the times of a date. The pass that follows the clock writes later phases. */
export function timeColumns(
  { start, end }: WallTimes,
  { zone, all_day }: Pick<EventRow, 'zone' | 'all_day'>,
  nowMs: number,
) {
  const { startsAtMs, endsAtMs } = instantsOf({ start, end }, { zone, isAllDay: all_day === 1 });
  return {
    start_time: start,
    end_time: end,
    starts_at_ms: startsAtMs,
    ends_at_ms: endsAtMs,
    phase: phaseAt(startsAtMs, endsAtMs, nowMs),
    remind_at_ms: reminderOf(startsAtMs, zone, nowMs),
  };
}

export function phaseAt(startsAtMs: number, endsAtMs: number, nowMs: number): DateRow['phase'] {
  if (nowMs < startsAtMs) return 'coming';
  return nowMs < endsAtMs ? 'on' : 'over';
}

/** The dates of those of these comments that carry some, by comment id. Makes two queries. */
export async function findEvents(
  db: Database,
  keys: CommentRowKey[],
): Promise<Map<string, CommentEvent>> {
  if (keys.length === 0) return new Map();
  const events = await db.selectFrom('comment_events').selectAll().where(isAt(keys)).execute();
  const dates = await db.selectFrom('event_dates').selectAll().where(isAt(keys)).execute();
  const byComment = Map.groupBy(dates, (row) => commentId(row.channel_id, row.number));
  return new Map(
    events.map((row) => {
      const id = commentId(row.channel_id, row.number);
      const ofEvent = (byComment.get(id) ?? []).sort((a, b) => a.position - b.position);
      const event: CommentEvent = {
        ...shownEvent(row),
        revision: row.revision,
        dates: ofEvent.map(shownDate),
      };
      return [id, event];
    }),
  );
}

/** Dates that wait for review, as they will be once they are published. */
export const pendingEvent = ({ dates, ...content }: EventContent, nowMs: number): CommentEvent => ({
  ...content,
  revision: 1,
  dates: dates.map(({ start, end }, position) => {
    const clock = { zone: content.zone, isAllDay: content.allDay };
    const { startsAtMs, endsAtMs } = instantsOf({ start, end }, clock);
    return {
      ...{ position, start, end, cancelled: false, reason: '', ...noAnswers },
      startsAt: toInstant(startsAtMs),
      endsAt: toInstant(endsAtMs),
      phase: phaseAt(startsAtMs, endsAtMs, nowMs),
    };
  }),
});

export const shownEvent = ({ title, location, zone, all_day, capacity }: EventRow) => ({
  title,
  location,
  zone,
  allDay: all_day === 1,
  capacity,
});

export type ShownColumns = Pick<
  DateRow,
  | 'position'
  | 'start_time'
  | 'end_time'
  | 'starts_at_ms'
  | 'ends_at_ms'
  | 'phase'
  | 'cancelled_at_ms'
  | 'reason'
  | keyof Counts
>;

export const shownDate = (row: ShownColumns): EventDate => ({
  position: row.position,
  start: row.start_time,
  end: row.end_time,
  startsAt: toInstant(row.starts_at_ms),
  endsAt: toInstant(row.ends_at_ms),
  phase: row.phase,
  cancelled: row.cancelled_at_ms !== null,
  reason: row.reason,
  yes: row.yes,
  waiting: row.waiting,
  maybe: row.maybe,
  no: row.no,
});

type Counts = Pick<EventDate, 'yes' | 'waiting' | 'maybe' | 'no'>;
const noAnswers: Counts = { yes: 0, waiting: 0, maybe: 0, no: 0 };

export interface DateKey extends CommentRowKey {
  position: number;
}

export const dateId = ({ channel_id, number, position }: DateKey) =>
  `${commentId(channel_id, number)}/${position}`;

/** Whether an answer counts: those of hidden accounts do not. A subquery per row, as PostgreSQL would read all accounts. */
export const isCounted = (answers: string) => sql<SqlBool>`(
  select hidden_by from accounts where accounts.id = ${sql.ref(`${answers}.account_id`)}) is null`;

/** How many people come with this answer and those before it, as a number in SQL. */
const peopleUpTo = (answers: string) => sql<number>`(
  select sum(earlier.people) from event_rsvps as earlier
  where earlier.channel_id = ${sql.ref(`${answers}.channel_id`)}
    and earlier.number = ${sql.ref(`${answers}.number`)}
    and earlier.position = ${sql.ref(`${answers}.position`)}
    and earlier.answer = 'yes' and earlier.turn <= ${sql.ref(`${answers}.turn`)}
    and ${isCounted('earlier')})`;

/**
 * Whether the people of an answer find room: smaller groups do not overtake larger ones. Where there is no limit nothing
 * is summed up.
 * @param answers an alias of `event_rsvps`
 */
export const hasRoom = (answers: string) => sql<SqlBool>`(
  select capacity is null or ${peopleUpTo(answers)} <= capacity from comment_events
  where comment_events.channel_id = ${sql.ref(`${answers}.channel_id`)}
    and comment_events.number = ${sql.ref(`${answers}.number`)})`;

/**
 * Stores how many answered to dates. Call it with their channels locked, after answers, room or hidden accounts changed.
 * Turns are summed up only where more people want to come than there is room for, since that takes several times as long.
 * @param isMeant condition on the key of `event_dates`
 * @returns what was stored
 */
export async function storeCounts(
  trx: Database,
  isMeant: ReturnType<typeof isAt>,
): Promise<({ position: number } & Counts)[]> {
  const { rows } = await sql<{ position: number } & Counts>`
    update event_dates
    set yes = fresh.yes, waiting = fresh.wanted - fresh.yes, maybe = fresh.maybe, no = fresh.no
    from (
      select answers.*, case when capacity is null or wanted <= capacity then wanted else coalesce((
        select max(total) from (
          select sum(own.people) over (order by own.turn) as total from event_rsvps as own
          where own.channel_id = answers.channel_id and own.number = answers.number
            and own.position = answers.position and own.answer = 'yes' and ${isCounted('own')}
        ) as totals where total <= capacity), 0) end as yes
      from (
        select meant.channel_id, meant.number, meant.position,
          coalesce(sum(case answer when 'yes' then people else 0 end), 0) as wanted,
          coalesce(sum(case answer when 'maybe' then 1 else 0 end), 0) as maybe,
          coalesce(sum(case answer when 'no' then 1 else 0 end), 0) as no,
          (select capacity from comment_events where comment_events.channel_id = meant.channel_id
            and comment_events.number = meant.number) as capacity
        from (select channel_id, number, position from event_dates where ${isMeant}) as meant
          left join event_rsvps on event_rsvps.channel_id = meant.channel_id
            and event_rsvps.number = meant.number and event_rsvps.position = meant.position
            and ${isCounted('event_rsvps')}
        group by meant.channel_id, meant.number, meant.position
      ) as answers
    ) as fresh
    where event_dates.channel_id = fresh.channel_id and event_dates.number = fresh.number
      and event_dates.position = fresh.position
    returning event_dates.position, event_dates.yes, event_dates.waiting, event_dates.maybe,
      event_dates.no`.execute(trx);
  return rows;
}

/** Stores how many answered to the dates that an account answered. */
export async function storeCountsOf(trx: Database, accountId: string): Promise<void> {
  await storeCounts(
    trx,
    sql<SqlBool>`(channel_id, number, position) in (
      select channel_id, number, position from event_rsvps where account_id = ${accountId})`,
  );
}
