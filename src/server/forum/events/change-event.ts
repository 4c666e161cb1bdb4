import { sql } from 'kysely';
import { visibleName } from '../../../shared/clean-text.ts';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { CommentEvent, EventEdit } from '../../../shared/events.ts';
import { limits } from '../../../shared/limits.ts';
import { requireWriter } from '../../accounts/standing/restrictions.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { countText } from '../../http/limits/daily-text.ts';
import { requireRevision } from '../../http/revisions.ts';
import { indexComment } from '../../search-index/index-comment.ts';
import { usableZone } from '../../system/zones.ts';
import { withCarried } from '../../texts/whole-text.ts';
import { carriedWords } from '../comments/carried-words.ts';
import { isAt } from '../comments/comment-keys.ts';
import { requireComment } from '../comments/comment-queries.ts';
import type { CommentServices } from '../comments/post-comment.ts';
import { findStored, lockVisibleChannel } from '../comments/stored-comments.ts';
import { watchEdit } from '../pending/watched-edits.ts';
import { isVisible } from '../visible-rows.ts';
import { checkDifferent, checkTimes, parseLocation, parseTitle } from './event-content.ts';
import { type DateRow, type EventRow, storeCounts, timeColumns } from './event-rows.ts';

/**
 * Changes the title, the place, the number of people and the times of dates, cancels them or takes that back. If they are
 * as asked already, nothing changes, whatever the revision, so that a client whose response was lost can retry. People
 * are told by the pass, which compares with what they were told last.
 * @throws ApiError `channel_not_found`, `comment_not_found`, `event_not_found`, `not_yours`, `revision_required`,
 * `edit_conflict`, `invalid_fields`, `capacity_taken`; errors of `requireWriter`
 */
export async function changeEvent(
  services: CommentServices,
  callerId: string,
  key: CommentKey,
  ifMatch: string | undefined,
  edit: EventEdit,
): Promise<Comment> {
  const { channelId, number } = key;
  return services.withTransaction(`channel ${channelId}`, async (trx, announce) => {
    const nowMs = services.now();
    const { role } = await requireWriter(trx, callerId, nowMs);
    await lockVisibleChannel(trx, channelId);
    const stored = await findStored(trx, key);
    if (!stored || !isVisible(stored)) throw new ApiError('comment_not_found');
    const before = await requireComment(trx, key);
    if (!before.event) throw new ApiError('event_not_found');
    if (stored.account_id !== callerId && role === 'member') {
      const detail = 'Estas fechas las escribió otra persona.';
      throw new ApiError('not_yours', { detail });
    }
    const current = await readEvent(trx, key);
    const fields = new FieldParser();
    const changed = applyEdit(fields, current, edit, nowMs);
    const isUnchanged = JSON.stringify(changed) === JSON.stringify(current);
    requireRevision(ifMatch, before.event, isUnchanged);
    if (isUnchanged) return before;
    const taking = changed.dates.filter(({ cancelled_at_ms }) => cancelled_at_ms === null);
    checkDifferent(
      fields,
      taking.map(({ start_time }) => start_time),
    );
    fields.done();
    requireCapacity(before.event, changed.event.capacity);
    await countText(trx, callerId, edit, nowMs);
    await announce({ kind: 'channel', channelId, numbers: [number] });
    await store(trx, key, changed, nowMs);
    await storeCounts(trx, isAt([{ channel_id: channelId, number }]));
    const dates = changed.dates.map((date) => ({ start: date.start_time, end: date.end_time }));
    const event = { ...changed.event, dates };
    const carried = carriedWords({ event, poll: null, files: before.files });
    await trx
      .updateTable('comments')
      .set({ carried_text: carried })
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .execute();
    const text = withCarried(stored.text, carried);
    await indexComment(trx, key, { text, authorId: stored.account_id });
    if (stored.account_id === callerId) {
      const { id, images, files, revision } = before;
      const texts = {
        before: { text: withCarried(stored.text, stored.carried_text), images },
        after: { text, images, files },
        revision,
      };
      await watchEdit(trx, { kind: 'comment', id }, callerId, texts, nowMs);
    }
    return requireComment(trx, key);
  });
}

interface Current {
  event: EventRow;
  /** In the order of their positions. */
  dates: DateRow[];
}

async function readEvent(trx: Database, { channelId, number }: CommentKey): Promise<Current> {
  const event = await trx
    .selectFrom('comment_events')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  const dates = await trx
    .selectFrom('event_dates')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .orderBy('position')
    .execute();
  return { event, dates };
}

/** Applies an edit to the rows of dates, without storing them. Call `fields.done()` before storing them. */
function applyEdit(
  fields: FieldParser,
  { event, dates }: Current,
  edit: EventEdit,
  nowMs: number,
): Current {
  const { title, location, capacity } = edit;
  const edits = new Map((edit.dates ?? []).map((one) => [one.position, one]));
  if ([...edits.keys()].some((position) => !dates[position])) throw new ApiError('event_not_found');
  return {
    event: {
      ...event,
      ...(title !== undefined && { title: parseTitle(fields, title) }),
      ...(location !== undefined && { location: parseLocation(fields, location) }),
      ...(capacity !== undefined && { capacity }),
    },
    dates: dates.map((row) => {
      const one = edits.get(row.position);
      return one ? applyDateEdit(fields, event, row, one, nowMs) : row;
    }),
  };
}

function applyDateEdit(
  fields: FieldParser,
  event: EventRow,
  row: DateRow,
  { start = row.start_time, end = row.end_time, cancelled, reason }: DateEdit,
  nowMs: number,
): DateRow {
  const isCancelled = cancelled ?? row.cancelled_at_ms !== null;
  const next: DateRow = {
    ...row,
    cancelled_at_ms: isCancelled ? (row.cancelled_at_ms ?? nowMs) : null,
    reason: isCancelled ? parseReason(fields, reason ?? row.reason) : '',
  };
  const isMoved = start !== row.start_time || (end || null) !== row.end_time;
  if (!isMoved && next.cancelled_at_ms === row.cancelled_at_ms && next.reason === row.reason) {
    return row;
  }
  const times = { start, end: end || null };
  // Times that do not exist have no instants. What is rejected differs all the same, or it would count as unchanged.
  const rejected: DateRow = { ...next, start_time: times.start, end_time: times.end };
  if (row.starts_at_ms <= nowMs) {
    fields.reject('event.dates', 'Lo que ya ha empezado no se puede cambiar.');
    return rejected;
  }
  if (!isMoved) return next;
  const clock = { zone: usableZone(event.zone), isAllDay: event.all_day === 1 };
  if (!checkTimes(fields, times, clock, nowMs)) return rejected;
  return { ...next, ...timeColumns(times, event, nowMs) };
}

type DateEdit = NonNullable<EventEdit['dates']>[number];

const parseReason = (fields: FieldParser, reason: string) =>
  fields.optionalText('event.reason', visibleName(reason), limits.eventReasonChars);

/** @throws ApiError `capacity_taken` when more people come to a date already, who would be put out */
function requireCapacity({ dates }: CommentEvent, capacity: number | null): void {
  if (capacity === null) return;
  const most = Math.max(...dates.map(({ yes, phase }) => (phase === 'coming' ? yes : 0)));
  if (most <= capacity) return;
  const detail = `Ya van ${most} personas, y nadie que iba se queda fuera: caben, como poco, ${most}.`;
  throw new ApiError('capacity_taken', { detail });
}

async function store(
  trx: Database,
  { channelId, number }: CommentKey,
  { event, dates }: Current,
  nowMs: number,
): Promise<void> {
  const { title, location, capacity } = event;
  await trx
    .updateTable('comment_events')
    .set({ title, location, capacity, changed_at_ms: nowMs, revision: sql`revision + 1` })
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .execute();
  for (const { channel_id, position, number: _, ...columns } of dates) {
    const { start_time, end_time, starts_at_ms, ends_at_ms, phase } = columns;
    const { cancelled_at_ms, reason, remind_at_ms } = columns;
    const times = { start_time, end_time, starts_at_ms, ends_at_ms, phase, remind_at_ms };
    await trx
      .updateTable('event_dates')
      .set({ ...times, cancelled_at_ms, reason })
      .where('channel_id', '=', channel_id)
      .where('number', '=', number)
      .where('position', '=', position)
      .execute();
  }
}
