import { sql } from 'kysely';
import { changeLines } from '../../shared/event-change-texts.ts';
import type { EventNotification } from '../../shared/notifications.ts';
import type { Database } from '../database/tables.ts';
import { isAt } from '../forum/comments/comment-keys.ts';
import { type DateRow, dateId } from '../forum/events/event-rows.ts';
import type { Merged } from './notification-rows.ts';

type Kind = EventNotification['kind'];
export type ShownEvent = Pick<
  EventNotification,
  'kind' | 'number' | 'title' | 'dates' | 'excerpt'
> & { channelId: string };

const kinds: readonly string[] = ['event', 'place', 'reminder'] satisfies Kind[];
const isEventKind = (kind: string): kind is Kind => kinds.includes(kind);

/**
 * Finds what is shown of notifications about dates that the person comes to, or may come to. While their comment is deleted, they have all of it; while it, its
 * channel or its author is hidden, only day and hour. Later changes are in later notifications.
 * @returns undefined for other kinds, and when there are no such dates any more
 */
export async function findEventsOf(
  db: Database,
  accountId: string,
  page: Merged[],
): Promise<(ShownEvent | undefined)[]> {
  const rows = page.map(([row]) => row);
  const keys = rows.flatMap(({ kind, channel_id, number }) =>
    isEventKind(kind) && channel_id !== null && number !== null ? [{ channel_id, number }] : [],
  );
  if (keys.length === 0) return rows.map(() => undefined);
  const events = await db
    .selectFrom('comment_events')
    .select(['channel_id', 'number', 'title', 'location'])
    .select(isNotHidden.as('is_shown'))
    .where(isAt(keys))
    .execute();
  const dates = await db
    .selectFrom('event_dates')
    .selectAll()
    .where(isAt(keys))
    .orderBy('position')
    .execute();
  const rsvps = await db
    .selectFrom('event_rsvps')
    .select(['channel_id', 'number', 'position'])
    .where('account_id', '=', accountId)
    .where('answer', '<>', 'no')
    .where(isAt(keys))
    .execute();
  const comesTo = new Set(rsvps.map(dateId));
  return rows.map(({ kind, channel_id, number, occasion }): ShownEvent | undefined => {
    const event = events.find((one) => one.channel_id === channel_id && one.number === number);
    if (!event || !isEventKind(kind)) return undefined;
    const ofEvent = dates.filter((one) => one.channel_id === channel_id && one.number === number);
    const told = ofEvent.filter((one) =>
      kind === 'event'
        ? one.occasion === occasion
        : one.position === occasion && one.cancelled_at_ms === null,
    );
    // Reminders and news of a free place are not shown once their date is cancelled.
    if (kind !== 'event' && told.length === 0) return undefined;
    const own = told.filter((one) => comesTo.has(dateId(one)));
    const isShown = event.is_shown === 1;
    // Who has taken back the answer was told of all of them.
    const shown = (own.length > 0 ? own : told).map((row) =>
      shownDate(row, { ...event, isShown, isChange: kind === 'event' }),
    );
    return {
      kind,
      channelId: event.channel_id,
      number: event.number,
      title: isShown ? event.title : '',
      dates: shown,
      excerpt: shown.length > 1 ? changeLines(shown).join('\n') : '',
    };
  });
}

/** Whether no decision hides a comment, its channel or their authors; it may be deleted. */
const isNotHidden = sql<number>`case when exists (
  select 1 from comments join channels on channels.id = comments.channel_id
  where comments.channel_id = comment_events.channel_id and comments.number = comment_events.number
    and comments.hidden_by is null and channels.hidden_by is null
    and not exists (select 1 from accounts where accounts.hidden_by is not null
      and accounts.id in (comments.account_id, channels.account_id))) then 1 else 0 end`;

function shownDate(
  row: DateRow,
  { location, isShown, isChange }: { location: string; isShown: boolean; isChange: boolean },
): EventNotification['dates'][number] {
  const isCancelled = isChange && row.told_cancelled === 1;
  // Of a date that does not take place, the time that people knew.
  const now = isCancelled
    ? { start: row.told_start, end: row.told_end, location: row.told_location }
    : { start: row.start_time, end: row.end_time, location };
  const before =
    isChange && !isCancelled && row.before_start !== null
      ? { start: row.before_start, end: row.before_end, location: row.before_location ?? '' }
      : null;
  const isMoved =
    before !== null &&
    (before.start !== now.start || before.end !== now.end || before.location !== now.location);
  const place = (told: typeof now) => ({ ...told, location: isShown ? told.location : '' });
  return {
    position: row.position,
    ...place(now),
    cancelled: isCancelled,
    reason: isCancelled && isShown ? row.reason : '',
    before: isMoved ? place(before) : null,
  };
}
