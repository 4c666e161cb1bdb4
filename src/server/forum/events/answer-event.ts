import { type SqlBool, sql } from 'kysely';
import { type CommentKey, commentId } from '../../../shared/comment-id.ts';
import type {
  CommentEvent,
  CommentRsvps,
  EventDate,
  NewRsvp,
  Rsvp,
  RsvpAnswer,
  RsvpResult,
} from '../../../shared/events.ts';
import { lockOpenAccount } from '../../accounts/standing/open-account.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { requireComment } from '../comments/comment-queries.ts';
import type { CommentServices } from '../comments/post-comment.ts';
import { isCommentVisible, lockVisibleChannel } from '../comments/stored-comments.ts';
import { type DateKey, findEvents, hasRoom, storeCounts } from './event-rows.ts';

/** Answers of one account in a list. */
const maxRsvps = 2000;

/**
 * Answers for one date, or for all that are to come, or takes the answers back. Repeating it changes nothing. Under the
 * lock of the channel each `yes` takes a turn, which fewer people keep. Without `people` as many come as before, or one.
 * @throws ApiError `channel_not_found`, `comment_not_found`, `event_not_found`, `event_closed`, `invalid_fields`, `not_signed_in`
 */
export async function answerEvent(
  services: CommentServices,
  callerId: string,
  { channelId, number }: CommentKey,
  { date, answer, people }: NewRsvp,
): Promise<RsvpResult> {
  return services.withTransaction(`channel ${channelId}`, async (trx, announce) => {
    // A decision that hides the account either counts this answer or waits for it.
    if (!(await lockOpenAccount(trx, 'id', callerId))) throw new ApiError('not_signed_in');
    await lockVisibleChannel(trx, channelId);
    if (!(await isCommentVisible(trx, { channelId, number })))
      throw new ApiError('comment_not_found');
    const nowMs = services.now();
    const events = await findEvents(trx, [{ channel_id: channelId, number }]);
    const event = events.get(commentId(channelId, number));
    if (!event) throw new ApiError('event_not_found');
    const meant = event.dates.filter(({ position }) => date === 'all' || position === date);
    const open = meant.filter((one) => isOpen(one, nowMs));
    if (open.length === 0) throw closedError(meant, nowMs);
    const isOfThese = sql<SqlBool>`channel_id = ${channelId} and number = ${number}
      and position in (${sql.join(open.map(({ position }) => position))})`;
    if (answer === null) {
      await trx
        .deleteFrom('event_rsvps')
        .where(isOfThese)
        .where('account_id', '=', callerId)
        .execute();
    } else {
      const positions = open.map(({ position }) => position);
      const rsvp = { answer, people: answer === 'yes' ? people : 1 };
      if (answer === 'yes') requireFit(event, people);
      await storeRsvps(trx, callerId, { channelId, number, positions }, rsvp, nowMs);
      if (event.capacity !== null)
        await trx
          .updateTable('event_rsvps')
          .set({
            is_waiting: sql`case when answer = 'yes' and not ${hasRoom('event_rsvps')} then 1 else 0 end`,
          })
          .where(isOfThese)
          .where('account_id', '=', callerId)
          .execute();
    }
    const counts = await storeCounts(trx, isOfThese);
    await announce({ kind: 'counts', channelId });
    const [mine] = await listRsvps(trx, callerId, { channelId, from: number, to: number });
    const dates = event.dates.map((one) => ({
      ...one,
      ...counts.find(({ position }) => position === one.position),
    }));
    return { event: { ...event, dates }, mine: mine?.rsvps ?? [] };
  });
}

const isComing = ({ startsAt }: EventDate, nowMs: number) => Date.parse(startsAt) > nowMs;
const isOpen = (date: EventDate, nowMs: number) => !date.cancelled && isComing(date, nowMs);

function closedError(dates: EventDate[], nowMs: number): ApiError {
  if (dates.length === 0) return new ApiError('event_not_found');
  if (dates.some((date) => isComing(date, nowMs))) {
    const detail = 'Esa fecha se ha cancelado, así que ya no se puede responder.';
    return new ApiError('event_closed', { detail });
  }
  return new ApiError('event_closed');
}

/** @throws ApiError `comment_not_found`, `event_not_found` */
export async function requireEvent(db: Database, key: CommentKey): Promise<CommentEvent> {
  const { event } = await requireComment(db, key);
  if (!event) throw new ApiError('event_not_found');
  return event;
}

/** @throws ApiError `invalid_fields` when more people come with one answer than there is room for: everybody after them would wait */
function requireFit({ capacity }: CommentEvent, people = 1): void {
  if (capacity === null || people <= capacity) return;
  const message = `Solo caben ${capacity}. Di que vais menos.`;
  throw new ApiError('invalid_fields', { errors: [{ field: 'people', message }] });
}

async function storeRsvps(
  trx: Database,
  accountId: string,
  { channelId, number, positions }: CommentKey & { positions: number[] },
  { answer, people }: { answer: RsvpAnswer; people: number | undefined },
  nowMs: number,
): Promise<void> {
  const rows = positions.map((position) => ({
    channel_id: channelId,
    number,
    position,
    account_id: accountId,
    answer,
    people: people ?? 1,
    turn:
      answer === 'yes'
        ? sql<number>`(select coalesce(max(turn), 0) + 1 from event_rsvps
            where channel_id = ${channelId} and number = ${number} and position = ${position}
              and answer = 'yes')`
        : 0,
    answered_at_ms: nowMs,
  }));
  await trx
    .insertInto('event_rsvps')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'number', 'position', 'account_id'])
        .doUpdateSet(({ ref }) => ({
          answer: ref('excluded.answer'),
          people:
            people === undefined
              ? sql`case when event_rsvps.answer = 'yes' then event_rsvps.people else 1 end`
              : ref('excluded.people'),
          answered_at_ms: ref('excluded.answered_at_ms'),
          is_waiting: 0,
          // More people is a new turn, fewer keeps it.
          turn: sql`case when event_rsvps.answer = excluded.answer
            and excluded.people <= event_rsvps.people then event_rsvps.turn else excluded.turn end`,
        })),
    )
    .execute();
}

/** The answers of an account to the dates of comments in a range of a channel. */
export async function listRsvps(
  db: Database,
  accountId: string,
  { channelId, from, to }: { channelId: string; from: number; to: number },
): Promise<CommentRsvps[]> {
  return readRsvps(
    db,
    accountId,
    sql<SqlBool>`channel_id = ${channelId} and number >= ${from} and number <= ${to}`,
  );
}

/** The answers of an account to dates that start in a period. */
export function listRsvpsBetween(
  db: Database,
  accountId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<CommentRsvps[]> {
  // A subquery per answer of the account, which has few, rather than all dates of the period.
  return readRsvps(
    db,
    accountId,
    sql<SqlBool>`(select starts_at_ms from event_dates
      where event_dates.channel_id = event_rsvps.channel_id
        and event_dates.number = event_rsvps.number
        and event_dates.position = event_rsvps.position) between ${fromMs} and ${toMs}`,
  );
}

type Row = DateKey & Pick<Rsvp, 'answer' | 'people'> & { has_room: number };

async function readRsvps(
  db: Database,
  accountId: string,
  isMeant: ReturnType<typeof sql<SqlBool>>,
): Promise<CommentRsvps[]> {
  const { rows } = await sql<Row>`
    select channel_id, number, position, answer, people,
      case when answer <> 'yes' or ${hasRoom('event_rsvps')} then 1 else 0 end as has_room
    from event_rsvps where account_id = ${accountId} and ${isMeant}
    order by channel_id, number, position limit ${sql.lit(maxRsvps)}`.execute(db);
  const byComment = Map.groupBy(rows, ({ channel_id, number }) => `${channel_id}-${number}`);
  return [...byComment.values()].flatMap((ofComment) => {
    const [first] = ofComment;
    if (!first) return [];
    const rsvps = ofComment.map(({ position, answer, people, has_room }) => ({
      position,
      answer,
      people,
      isWaiting: has_room === 0,
    }));
    return { channelId: first.channel_id, number: first.number, rsvps };
  });
}
