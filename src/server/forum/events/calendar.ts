import { type SqlBool, sql } from 'kysely';
import type { CalendarDate, CalendarPage } from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import { InvalidCursor } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { communityZone } from '../../site-settings/site-settings.ts';
import { dayMs } from '../../system/times.ts';
import { timeIn } from '../../system/zones.ts';
import { isAt } from '../comments/comment-keys.ts';
import { uuid } from '../cursors.ts';
import { shownDate, shownEvent } from './event-rows.ts';

/** Months before the present one, and after it, that the calendar has. */
const months = { before: 1, after: 60 };

const longMs = limits.longDateHours * 3_600_000;
const runsLong = sql<SqlBool>`(event_dates.phase = 'on'
  and ends_at_ms - starts_at_ms >= ${longMs})`;

/** Dates of the next days that are not over, soonest first, for the home page. */
export const listHomeDates = (db: Database, nowMs: number): Promise<CalendarDate[]> =>
  listNext(
    db,
    sql<SqlBool>`event_dates.phase <> 'over' and event_dates.starts_at_ms < ${nowMs + limits.homeDays * dayMs}`,
    limits.homeDates,
  );

/** The dates of the next four weeks that take place, for the sheet to be printed. */
export const listPosterDates = (
  db: Database,
  nowMs: number,
  limit: number,
): Promise<CalendarDate[]> =>
  listNext(
    db,
    sql<SqlBool>`event_dates.phase <> 'over' and event_dates.cancelled_at_ms is null
      and event_dates.starts_at_ms < ${nowMs + 28 * dayMs}`,
    limit,
  );

/** The next dates of a channel that are not over. */
export const listChannelDates = (db: Database, channelId: string): Promise<CalendarDate[]> =>
  listNext(
    db,
    sql<SqlBool>`event_dates.phase <> 'over' and event_dates.channel_id = ${channelId}`,
    limits.channelDates,
  );

async function listNext(
  db: Database,
  isMeant: ReturnType<typeof isAt>,
  limit: number,
): Promise<CalendarDate[]> {
  const next = await listDates(db, sql<SqlBool>`${isMeant} and not ${runsLong}`, limit);
  if (next.length === limit) return next;
  const running = sql<SqlBool>`${isMeant} and ${runsLong}`;
  return [...next, ...(await listDates(db, running, limit - next.length))];
}

/**
 * One page of the dates that start in a month, soonest first; before them, on the first page, those that began earlier
 * and run into it.
 * @param query.from such as `2027-03`, in the community's zone; the present month by default
 * @param query.after `next` of the previous page
 * @returns also the month, and those beside it; null beyond the first and last month of the calendar
 * @throws InvalidCursor
 */
export async function listCalendar(
  db: Database,
  { from, after }: { from?: string | undefined; after?: string | undefined },
  nowMs: number,
): Promise<CalendarPage> {
  const zone = await communityZone(db);
  const present = timeIn(zone, nowMs).toPlainDate().toPlainYearMonth();
  const month = from === undefined ? present : parseMonth(from);
  const away = present.until(month, { largestUnit: 'months' }).months;
  if (away < -months.before || away > months.after) throw new InvalidCursor();
  const startOf = (each: Temporal.PlainYearMonth) =>
    each.toPlainDate({ day: 1 }).toZonedDateTime(zone).epochMilliseconds;
  const cursor = after === undefined ? undefined : parseDateCursor(after);
  const isAfter = cursor
    ? sql`(starts_at_ms, event_dates.channel_id, event_dates.number, position)
        > (${cursor.ms}, ${cursor.channelId}, ${cursor.number}, ${cursor.position})`
    : sql`true`;
  const startMs = startOf(month);
  const runsInto = sql<SqlBool>`starts_at_ms < ${startMs} and ends_at_ms > ${startMs}
    and event_dates.phase <> 'over'`;
  const begun = cursor ? [] : await listDates(db, runsInto, limits.listItems);
  const isMeant = sql<SqlBool>`starts_at_ms >= ${startMs}
    and starts_at_ms < ${startOf(month.add({ months: 1 }))} and ${isAfter}`;
  const found = await listDates(db, isMeant, limits.listItems + 1);
  const data = found.slice(0, limits.listItems);
  const last = data.at(-1);
  return {
    data: [...begun, ...data],
    next: found.length > data.length && last ? formatDateCursor(last) : null,
    month: month.toString(),
    previous: away > -months.before ? month.subtract({ months: 1 }).toString() : null,
    following: away < months.after ? month.add({ months: 1 }).toString() : null,
  };
}

/** @throws InvalidCursor */
function parseMonth(text: string): Temporal.PlainYearMonth {
  if (!/^\d{4}-\d{2}$/.test(text)) throw new InvalidCursor();
  try {
    return Temporal.PlainYearMonth.from(text, { overflow: 'reject' });
  } catch {
    throw new InvalidCursor();
  }
}

const formatDateCursor = ({ channel, number, date }: CalendarDate) =>
  `${Date.parse(date.startsAt)}_${channel._id}_${number}_${date.position}`;

/** @throws InvalidCursor */
function parseDateCursor(after: string) {
  const [, ms, channelId = '', number, position] =
    /^(\d{1,15})_(.{36})_(\d{1,9})_(\d{1,2})$/.exec(after) ?? [];
  if (!uuid.test(channelId)) throw new InvalidCursor();
  return { ms: Number(ms), channelId, number: Number(number), position: Number(position) };
}

/** SQL condition on `event_dates`: visitors see the comment. A subquery per row, as PostgreSQL would read all comments. */
export const isDateVisible = sql<SqlBool>`(select 1 from visible_comments
  where visible_comments.channel_id = event_dates.channel_id
    and visible_comments.number = event_dates.number) = 1`;

/** Visible dates, soonest first. @param isMeant condition on `event_dates` */
async function listDates(
  db: Database,
  isMeant: ReturnType<typeof isAt>,
  limit: number,
): Promise<CalendarDate[]> {
  const rows = await db
    .selectFrom('event_dates')
    .selectAll()
    .select(
      sql<string>`(select name from channels where channels.id = event_dates.channel_id)`.as(
        'channel_name',
      ),
    )
    .where(isMeant)
    .where(isDateVisible)
    .orderBy('starts_at_ms')
    .orderBy('channel_id')
    .orderBy('number')
    .orderBy('position')
    .limit(limit)
    .execute();
  if (rows.length === 0) return [];
  const events = await db.selectFrom('comment_events').selectAll().where(isAt(rows)).execute();
  return rows.flatMap((row) => {
    const { channel_id, number } = row;
    const event = events.find((one) => one.channel_id === channel_id && one.number === number);
    if (!event) return [];
    const channel = { _id: channel_id, name: row.channel_name };
    return { channel, number, ...shownEvent(event), date: shownDate(row) };
  });
}
