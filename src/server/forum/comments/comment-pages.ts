import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Expression, sql } from 'kysely';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment, CommentPage } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import {
  type CommentRow,
  completeComments,
  firstWithin,
  jsonBytes,
  selectComments,
} from './comment-details.ts';
import { isCommentVisible } from './stored-comments.ts';

/** A visible channel with its numbers of visible and removed comments. */
type CountedComments = Pick<Channel, '_id' | 'commentCount' | 'removedCount'>;

/** @throws ApiError `channel_not_found` */
export async function requireCounts(db: Database, channelId: string): Promise<CountedComments> {
  const row = await db
    .selectFrom('visible_channels')
    .select(['comment_count', 'last_comment_number'])
    .where('id', '=', channelId)
    .executeTakeFirst();
  if (!row) throw new ApiError('channel_not_found');
  const { comment_count: commentCount, last_comment_number: last } = row;
  return { _id: channelId, commentCount, removedCount: last - commentCount };
}

/** Selects the comments after, before or around this number. */
export type PageRange = { after: number } | { before: number } | { around: number };

/** Minimum number of comments before the number of an `around` page, if the channel has that many. */
const minBefore = 10;

/**
 * Up to `limit` comments of a channel, oldest first; fewer, but at least one, if their JSON would exceed
 * `limits.pageBytes`. `before` with a number above the last one gives the newest page. `around` puts half of the page,
 * at least ten comments, before the number and the rest from the number on.
 */
export async function listComments(
  db: Database,
  channel: CountedComments,
  { limit, range = { after: 0 } }: { limit: number; range?: PageRange },
): Promise<CommentPage> {
  const channelId = channel._id;
  const comments = await completeComments(db, await readPage(db, channelId, limit, range));
  const data = withinBytes(comments, range);
  return { data, ...linksOf(channelId, data, range, await findEnds(db, channel)) };
}

/** Rows of a page, oldest first. */
async function readPage(
  db: Database,
  channelId: string,
  limit: number,
  range: PageRange,
): Promise<CommentRow[]> {
  if ('after' in range) return selectAfter(db, channelId, range.after, limit).execute();
  if ('before' in range) {
    const rows = await selectBefore(db, channelId, range.before, limit).execute();
    return rows.reverse();
  }
  const { around } = range;
  const half = Math.max(Math.floor(limit / 2), Math.min(minBefore, limit - 1));
  // Near the start of the channel this is its first page.
  if (around <= half) return selectAfter(db, channelId, 0, limit).execute();
  const earlier = await selectBefore(db, channelId, around, half).execute();
  const later = await selectAfter(db, channelId, around - 1, limit - half).execute();
  return [...earlier.reverse(), ...later];
}

/** Selects up to `limit` comments numbered above `number`, oldest first. */
export function selectAfter(db: Database, channelId: string, number: number, limit: number) {
  return selectComments(db)
    .where('channel_id', '=', channelId)
    .where('number', '>', number)
    .orderBy('number')
    .limit(limit);
}

function selectBefore(db: Database, channelId: string, number: number, limit: number) {
  return selectComments(db)
    .where('channel_id', '=', channelId)
    .where('number', '<', number)
    .orderBy('number', 'desc')
    .limit(limit);
}

/** Drops the comments farthest from the number of the range until the page fits. */
function withinBytes(comments: Comment[], range: PageRange): Comment[] {
  const start = 'after' in range ? 0 : 'before' in range ? range.before : range.around;
  const before = comments.filter(({ number }) => number < start).reverse();
  const after = comments.filter(({ number }) => number >= start);
  const share = before.length > 0 && after.length > 0 ? 2 : 1;
  return [
    ...firstWithin(limits.pageBytes / share, before, jsonBytes).reverse(),
    ...firstWithin(limits.pageBytes / share, after, jsonBytes),
  ];
}

interface Ends {
  /** Numbers of the oldest and the newest visible comment; null when there are none. */
  first: number | null;
  last: number | null;
}

function linksOf(
  channelId: string,
  data: Comment[],
  range: PageRange,
  { first, last }: Ends,
): Pick<CommentPage, 'next' | 'previous'> {
  const link = (number: number) => commentId(channelId, number);
  const [oldest, newest] = [data.at(0), data.at(-1)];
  if (first === null || last === null) return { previous: null, next: null };
  if (!oldest || !newest) {
    const isAtEnd = 'after' in range;
    return { previous: isAtEnd ? link(last + 1) : null, next: isAtEnd ? null : link(first - 1) };
  }
  return {
    previous: oldest.number > first ? oldest.id : null,
    next: newest.number < last ? newest.id : null,
  };
}

async function findEnds(
  db: Database,
  { _id, commentCount, removedCount }: CountedComments,
): Promise<Ends> {
  if (commentCount === 0) return { first: null, last: null };
  // Numbers count from 1.
  if (removedCount === 0) return { first: 1, last: commentCount };
  const numberAt = (direction: 'asc' | 'desc') =>
    db
      .selectFrom('visible_comments')
      .select('number')
      .where('channel_id', '=', _id)
      .orderBy('number', direction)
      .limit(1);
  const first = await numberAt('asc').executeTakeFirst();
  const last = await numberAt('desc').executeTakeFirst();
  return { first: first?.number ?? null, last: last?.number ?? null };
}

/**
 * Replies to a comment with numbers above `after`, oldest first.
 * @returns undefined when the comment is not visible
 */
export async function listReplies(
  db: Database,
  channelId: string,
  number: number,
  { limit, after }: { limit: number; after: number },
): Promise<Omit<CommentPage, 'previous'> | undefined> {
  if (!(await isCommentVisible(db, { channelId, number }))) return undefined;
  const rows = await selectComments(db)
    .where('channel_id', '=', channelId)
    .where('reply_to', '=', number)
    .where('number', '>', after)
    .orderBy('number')
    // One more row than the page has, to know whether another page follows.
    .limit(limit + 1)
    .execute();
  const comments = await completeComments(db, rows.slice(0, limit));
  const data = firstWithin(limits.pageBytes, comments, jsonBytes);
  return { data, next: rows.length > data.length ? (data.at(-1)?.id ?? null) : null };
}

interface CountedChannel {
  id: string;
  last_comment_number: number;
}

/**
 * The oldest comments of each channel, by channel id. Each channel gets the same share of `limits.listComments` and
 * `limits.listTextBytes`.
 * @param most maximum per channel
 */
export async function listFirstComments(
  db: Database,
  channels: CountedChannel[],
  most: number,
): Promise<Map<string, Comment[]>> {
  const ofEach = Math.min(most, Math.floor(limits.listComments / channels.length));
  if (channels.length === 0 || ofEach === 0) return new Map();
  // Lengths are read first, so that no text is loaded only to be dropped.
  const sizes = await readOfEach(db, channels, (channel) =>
    selectTextSizes(db, channel.id).select('channel_id').orderBy('number').limit(ofEach),
  );
  const fitting = countFitting(sizes);
  if (fitting === 0) return new Map();
  const rows = await readOfEach(db, channels, ({ id, last_comment_number }) =>
    selectAfter(db, id, 0, fitting)
      // Exclude comments written after the channel was read: its `commentCount` does not include them.
      .where('number', '<=', last_comment_number),
  );
  return Map.groupBy(await completeComments(db, rows), ({ channelId }) => channelId);
}

/** Channels whose comments are read in one turn of the event loop. */
const readAtOnce = 20;

/** Runs one query for many channels: a limited subquery per channel reads no more rows than it returns. */
async function readOfEach<Row>(
  db: Database,
  channels: CountedChannel[],
  select: (channel: CountedChannel) => Expression<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < channels.length; start += readAtOnce) {
    if (start > 0) await yieldToEventLoop();
    const queries = channels
      .slice(start, start + readAtOnce)
      .map((channel) => sql`select * from ${select(channel)} as of_one`);
    rows.push(...(await sql<Row>`${sql.join(queries, sql` union all `)}`.execute(db)).rows);
  }
  return rows;
}

/** Selects the text sizes in bytes of a channel's visible comments; callers add conditions. */
export function selectTextSizes(db: Database, channelId: string) {
  return db
    .selectFrom('visible_comments')
    .select(sql<number>`octet_length(text)`.as('bytes'))
    .where('channel_id', '=', channelId);
}

/** Number of comments per channel that total at most `limits.listTextBytes` over all channels. */
function countFitting(sizes: { channel_id: string; bytes: number }[]): number {
  const lists = [...Map.groupBy(sizes, ({ channel_id }) => channel_id).values()];
  const longest = Math.max(0, ...lists.map((list) => list.length));
  let bytes = 0;
  for (let count = 0; count < longest; count++) {
    for (const list of lists) bytes += list[count]?.bytes ?? 0;
    if (bytes > limits.listTextBytes) return count;
  }
  return longest;
}
