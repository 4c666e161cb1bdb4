import { type SqlBool, sql } from 'kysely';
import { isMember } from '../../accounts/standing/members.ts';
import type { Database } from '../../database/tables.ts';
import type { Announce, WithTransaction } from '../../database/transactions.ts';
import { lockChannel } from '../../forum/comments/stored-comments.ts';
import { isDateVisible } from '../../forum/events/calendar.ts';
import {
  type DateKey,
  type DateRow,
  type EventRow,
  hasRoom,
  isCounted,
  phaseAt,
} from '../../forum/events/event-rows.ts';
import { instantsOf, reminderOf } from '../../forum/events/event-times.ts';
import { communityZone } from '../../site-settings/site-settings.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { timeIn } from '../../system/zones.ts';

/** Age of a difference that people are told of. One that is undone before is told to nobody. */
const differenceMs = 2 * 60_000;
/** A change shortly before a date begins is still told after that. */
const shortlyMs = 2 * differenceMs;
/** A reminder that is later than this is left out: nobody is told at night of what comes in the morning. */
const reminderMs = 4 * 3_600_000;

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}

/** Does what the clock does to dates, and tells people of changes, of room for who waits, and of what comes tomorrow. */
export async function tellOfEvents(services: Services, passedMs: number): Promise<void> {
  const steps = [
    // Another version of the time zones may say otherwise when a date is.
    ...(passedMs === 0 ? [() => deriveTimes(services)] : []),
    () => announceDay(services, passedMs),
    () => followClock(services),
    () => tellOfDifferences(services),
    () => tellOfRoom(services),
    () => remind(services),
  ];
  await forEachDespiteErrors(steps, (step) => step());
}

/** Empties the caches at midnight of the community, since pages have dates of the next days. */
async function announceDay(
  { db, withTransaction, now }: Services,
  passedMs: number,
): Promise<void> {
  const zone = await communityZone(db);
  const dayOf = (ms: number) => timeIn(zone, ms).toPlainDate().toString();
  if (dayOf(passedMs) === dayOf(now())) return;
  await withTransaction('day', (_, announce) => announce({ kind: 'day' }));
}

/** Derives the instants of dates to come anew from what one reads on the clock. */
async function deriveTimes({ db, withTransaction, now }: Services): Promise<void> {
  const nowMs = now();
  const rows = await db
    .selectFrom('event_dates')
    .innerJoin('comment_events as event', (join) =>
      join
        .onRef('event.channel_id', '=', 'event_dates.channel_id')
        .onRef('event.number', '=', 'event_dates.number'),
    )
    .selectAll('event_dates')
    .select(['event.zone', 'event.all_day'])
    .where('event_dates.phase', '=', 'coming')
    .execute();
  const moved = rows.filter((row) => {
    const { startsAtMs, endsAtMs } = timesOf(row);
    return startsAtMs !== row.starts_at_ms || endsAtMs !== row.ends_at_ms;
  });
  await forEachComment(moved, withTransaction, async (trx, announce, key) => {
    const { channel_id: channelId, number } = key;
    for (const row of moved) {
      if (row.channel_id !== channelId || row.number !== number) continue;
      const { startsAtMs, endsAtMs } = timesOf(row);
      await updateDates(trx, { ...key, positions: [row.position] })
        // Somebody may have changed it meanwhile.
        .where('start_time', '=', row.start_time)
        .set({
          starts_at_ms: startsAtMs,
          ends_at_ms: endsAtMs,
          ...(row.remind_at_ms !== null && {
            remind_at_ms: reminderOf(startsAtMs, row.zone, nowMs),
          }),
        })
        .execute();
    }
    await announce({ kind: 'channel', channelId, numbers: [number] });
  });
}

const timesOf = (
  row: Pick<DateRow, 'start_time' | 'end_time'> & Pick<EventRow, 'zone' | 'all_day'>,
) =>
  instantsOf(
    { start: row.start_time, end: row.end_time },
    { zone: row.zone, isAllDay: row.all_day === 1 },
  );

/**
 * Stores and announces that dates have begun or are over; or that they are to come after all, when the clock was ahead.
 */
async function followClock({ db, withTransaction, now }: Services): Promise<void> {
  const nowMs = now();
  const isDue = sql<SqlBool>`(phase = 'coming' and starts_at_ms <= ${nowMs}
    or phase = 'on' and ends_at_ms <= ${nowMs}
    or phase <> 'coming' and starts_at_ms > ${nowMs})`;
  const due = await db.selectFrom('event_dates').selectAll().where(isDue).execute();
  await forEachComment(due, withTransaction, async (trx, announce, key) => {
    const rows = await trx
      .selectFrom('event_dates')
      .selectAll()
      .where('channel_id', '=', key.channel_id)
      .where('number', '=', key.number)
      .where(isDue)
      .execute();
    const over: number[] = [];
    for (const { position, starts_at_ms, ends_at_ms } of rows) {
      const phase = phaseAt(starts_at_ms, ends_at_ms, nowMs);
      if (phase === 'over') over.push(position);
      await updateDates(trx, { ...key, positions: [position] })
        .set({ phase })
        .execute();
    }
    await deleteCalls(trx, { ...key, positions: over });
    const { channel_id: channelId, number } = key;
    await announce({ kind: 'channel', channelId, numbers: [number] });
  });
}

const isShown = sql<SqlBool>`(cancelled_at_ms is null and ${isDateVisible})`;

/** Whether what people were told last of a date no longer holds. */
const differs = (nowMs: number) => sql<SqlBool>`(starts_at_ms > ${nowMs - shortlyMs} and case
  when ${isShown} then told_cancelled = 1 or told_start <> start_time
    or told_end is distinct from end_time
    or told_location <> (select location from comment_events
      where comment_events.channel_id = event_dates.channel_id
        and comment_events.number = event_dates.number)
  else told_cancelled = 0 end)`;

/**
 * Tells those who come, may come or wait that dates of a comment changed, do not take place or do so after all: of a
 * change of the dates as of a deletion, a decision, and the undoing of each. Several dates are one notification.
 */
async function tellOfDifferences({ db, withTransaction, now }: Services): Promise<void> {
  const nowMs = now();
  const isDifferent = differs(nowMs);
  const found = await db
    .selectFrom('event_dates')
    .select(['channel_id', 'number', 'position', 'differs_since_ms'])
    .select(sql<number>`case when ${isDifferent} then 1 else 0 end`.as('differs'))
    .where('starts_at_ms', '>', nowMs - shortlyMs)
    .where((eb) => eb.or([eb('differs_since_ms', 'is not', null), isDifferent]))
    .execute();
  const changed = found.filter(
    ({ differs: does, differs_since_ms }) => (does === 1) === (differs_since_ms === null),
  );
  const due = found.filter(
    // One that was found while the clock was ahead does not wait until that time.
    ({ differs: does, differs_since_ms: sinceMs }) =>
      does === 1 && sinceMs !== null && (sinceMs <= nowMs - differenceMs || sinceMs > nowMs),
  );
  await forEachComment(changed, withTransaction, async (trx, _, key) => {
    await updateDates(trx, key)
      .set({
        differs_since_ms: sql`case when ${isDifferent} then coalesce(differs_since_ms, ${nowMs}) end`,
      })
      .execute();
  });
  await forEachComment(due, withTransaction, async (trx, _, { channel_id, number, positions }) => {
    const rows = await trx
      .selectFrom('event_dates')
      .select(['position', sql<number>`case when ${isShown} then 1 else 0 end`.as('is_shown')])
      .where('channel_id', '=', channel_id)
      .where('number', '=', number)
      .where('position', 'in', positions)
      .where(isDifferent)
      .execute();
    if (rows.length === 0) return;
    const told = { channel_id, number, positions: rows.map(({ position }) => position) };
    const cancelled = rows.filter(({ is_shown }) => is_shown === 0);
    await deleteCalls(trx, { ...told, positions: cancelled.map(({ position }) => position) });
    const { last } = await trx
      .selectFrom('event_dates')
      .select(({ fn }) => fn.max('occasion').as('last'))
      .where('channel_id', '=', channel_id)
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
    const occasion = last + 1;
    await sql`
      insert into notifications (account_id, kind, channel_id, number, occasion, created_at_ms)
      select distinct account_id, 'event', ${channel_id}, cast(${number} as integer),
        cast(${occasion} as integer), cast(${nowMs} as bigint)
      from event_rsvps join accounts on accounts.id = event_rsvps.account_id
      where channel_id = ${channel_id} and number = ${number}
        and position in (${sql.join(told.positions)}) and answer <> 'no'
        and ${isMember(trx, nowMs)}`.execute(trx);
    await updateDates(trx, told)
      .set({
        before_start: sql`told_start`,
        before_end: sql`told_end`,
        before_location: sql`told_location`,
        told_start: sql`start_time`,
        told_end: sql`end_time`,
        told_location: sql`(select location from comment_events
          where comment_events.channel_id = event_dates.channel_id
            and comment_events.number = event_dates.number)`,
        told_cancelled: sql`case when ${isShown} then 0 else 1 end`,
        told_at_ms: nowMs,
        differs_since_ms: null,
        occasion,
      })
      .execute();
  });
}

/** Tells those who waited that there is room for them now. */
async function tellOfRoom({ db, withTransaction, now }: Services): Promise<void> {
  const nowMs = now();
  const hasRoomNow = sql<SqlBool>`(is_waiting = 1 and ${hasRoom('event_rsvps')} and (
    select 1 from event_dates where event_dates.channel_id = event_rsvps.channel_id
      and event_dates.number = event_rsvps.number and event_dates.position = event_rsvps.position
      and starts_at_ms > ${nowMs} and ${isShown}) = 1)`;
  // Fewer people wait than were told that they do. Without turns, whose sums take long where many wait.
  const { rows: found } = await sql<DateKey>`
    select channel_id, number, position from (
      select channel_id, number, position, sum(people) as told from event_rsvps
      where is_waiting = 1 and ${isCounted('event_rsvps')} group by channel_id, number, position
    ) as waiting
    where exists (select 1 from event_dates where event_dates.channel_id = waiting.channel_id
      and event_dates.number = waiting.number and event_dates.position = waiting.position
      and event_dates.waiting < told and starts_at_ms > ${nowMs} and ${isShown})`.execute(db);
  await forEachComment(found, withTransaction, async (trx, _, { channel_id, number }) => {
    const within = await trx
      .updateTable('event_rsvps')
      .set({ is_waiting: 0 })
      .where('channel_id', '=', channel_id)
      .where('number', '=', number)
      .where(hasRoomNow)
      .returning(['account_id', 'position'])
      .execute();
    const rows = within.map(({ account_id, position: occasion }) => ({
      ...{ account_id, channel_id, number, occasion, actor_id: null, decision_id: null },
      kind: 'place' as const,
      created_at_ms: nowMs,
    }));
    for (let start = 0; start < rows.length; start += rowsAtOnce)
      await trx
        .insertInto('notifications')
        .values(rows.slice(start, start + rowsAtOnce))
        .execute();
  });
}

/** Rows of one statement, which may have 600 parameters. */
const rowsAtOnce = 50;

/** Reminds those who come of dates of the next day. */
async function remind({ db, withTransaction, now }: Services): Promise<void> {
  const nowMs = now();
  const due = await db
    .selectFrom('event_dates')
    .select(['channel_id', 'number', 'position'])
    .where('remind_at_ms', '<=', nowMs)
    .execute();
  await forEachComment(due, withTransaction, async (trx, _, key) => {
    await sql`
      insert into notifications (account_id, kind, channel_id, number, occasion, created_at_ms)
      select account_id, 'reminder', ${key.channel_id}, cast(${key.number} as integer), position,
        cast(${nowMs} as bigint)
      from event_rsvps join accounts on accounts.id = event_rsvps.account_id
      where channel_id = ${key.channel_id} and number = ${key.number} and answer = 'yes'
        and ${hasRoom('event_rsvps')} and ${isMember(trx, nowMs)}
        and position in (select position from event_dates where channel_id = ${key.channel_id}
          and number = ${key.number} and remind_at_ms <= ${nowMs}
          and remind_at_ms > ${nowMs - reminderMs} and starts_at_ms > ${nowMs} and ${isShown})`.execute(
      trx,
    );
    await updateDates(trx, key)
      .set({ remind_at_ms: null })
      .where('remind_at_ms', '<=', nowMs)
      .execute();
  });
}

interface Dates {
  channel_id: string;
  number: number;
  positions: number[];
}

/** Deletes the notifications that call people to dates. */
async function deleteCalls(trx: Database, { channel_id, number, positions }: Dates): Promise<void> {
  if (positions.length === 0) return;
  await trx
    .deleteFrom('notifications')
    .where('kind', 'in', ['reminder', 'place'])
    .where('channel_id', '=', channel_id)
    .where('number', '=', number)
    .where('occasion', 'in', positions)
    .execute();
}

const updateDates = (trx: Database, { channel_id, number, positions }: Dates) =>
  trx
    .updateTable('event_dates')
    .where('channel_id', '=', channel_id)
    .where('number', '=', number)
    .where('position', 'in', positions);

/** Runs work for the dates of each comment, in a transaction with its channel locked, as answers and changes do. */
async function forEachComment(
  rows: DateKey[],
  withTransaction: WithTransaction,
  work: (trx: Database, announce: Announce, key: Dates) => Promise<void>,
): Promise<void> {
  const comments = Map.groupBy(rows, ({ channel_id, number }) => `${channel_id} ${number}`);
  await forEachDespiteErrors([...comments.values()], async (ofComment) => {
    const [first] = ofComment;
    if (!first) return;
    const { channel_id, number } = first;
    const positions = [...new Set(ofComment.map(({ position }) => position))];
    await withTransaction(`channel ${channel_id}`, async (trx, announce) => {
      await lockChannel(trx, channel_id);
      await work(trx, announce, { channel_id, number, positions });
    });
  });
}
