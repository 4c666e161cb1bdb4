import { commentId } from '../../shared/comment-id.ts';
import type { Comment, CommentPage } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { Database } from '../database/tables.ts';
import { completeComments } from './comment-details.ts';
import { readAfter } from './comment-queries.ts';
import { firstWithin, jsonBytes, selectComments } from './comment-rows.ts';

/** Where a page lies: after or before the comment of a number, or around it. */
export type PagePosition = { after: number } | { before: number } | { around: number };

/** Comments that a page around one has before it, where there are as many. */
const leastBefore = 10;

/**
 * Up to `limit` comments of a channel, oldest first; fewer, but one at least, where they would take up
 * more than `limits.listBytes` of JSON. `before` a number above the last one gives the newest page.
 * `around` gives half of them before the number, ten at least, and the rest from it on.
 * @returns undefined without such a channel
 */
export async function listComments(
  db: Database,
  channelId: string,
  { limit, position = { after: 0 } }: { limit: number; position?: PagePosition },
): Promise<CommentPage | undefined> {
  const ends = await findEnds(db, channelId);
  if (!ends) return undefined;
  const { earlier, later } = await readPage(db, channelId, limit, position);
  const comments = await completeComments(db, [...earlier, ...later]);
  const data = withinBytes(comments, earlier.length);
  return { data, ...linksOf(channelId, data, position, ends) };
}

/** Rows before and after the position, oldest first. No query reads more rows than the page has. */
async function readPage(db: Database, channelId: string, limit: number, position: PagePosition) {
  if ('after' in position) {
    return { earlier: [], later: await readAfter(db, channelId, position.after, limit) };
  }
  if ('before' in position) {
    return { earlier: await readBefore(db, channelId, position.before, limit), later: [] };
  }
  const { around } = position;
  const half = Math.max(Math.floor(limit / 2), Math.min(leastBefore, limit - 1));
  const earlier = half > 0 ? await readBefore(db, channelId, around, half) : [];
  const later = await readAfter(db, channelId, around - 1, limit - earlier.length);
  return { earlier, later };
}

async function readBefore(db: Database, channelId: string, number: number, limit: number) {
  const rows = await selectComments(db)
    .where('channel_id', '=', channelId)
    .where('number', '<', number)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

/** Leaves out those farthest from the position. @param earlier how many lie before the position */
function withinBytes(comments: Comment[], earlier: number): Comment[] {
  const before = comments.slice(0, earlier).reverse();
  const after = comments.slice(earlier);
  const share = before.length > 0 && after.length > 0 ? 2 : 1;
  return [
    ...firstWithin(limits.listBytes / share, before, jsonBytes).reverse(),
    ...firstWithin(limits.listBytes / share, after, jsonBytes),
  ];
}

interface Ends {
  /** Numbers of the oldest and the newest visible comment; null when there is none. */
  first: number | null;
  last: number | null;
}

function linksOf(
  channelId: string,
  data: Comment[],
  position: PagePosition,
  { first, last }: Ends,
): Pick<CommentPage, 'next' | 'previous'> {
  const link = (number: number) => commentId(channelId, number);
  const [oldest, newest] = [data.at(0), data.at(-1)];
  if (first === null || last === null) return { previous: null, next: null };
  if (!oldest || !newest) {
    const isAtEnd = 'after' in position;
    return { previous: isAtEnd ? link(last + 1) : null, next: isAtEnd ? null : link(first - 1) };
  }
  return {
    previous: oldest.number > first ? oldest.id : null,
    next: newest.number < last ? newest.id : null,
  };
}

async function findEnds(db: Database, channelId: string): Promise<Ends | undefined> {
  return db
    .selectFrom('channels')
    .select(({ selectFrom }) => {
      const numbers = (direction: 'asc' | 'desc') =>
        selectFrom('comments')
          .select('number')
          .whereRef('comments.channel_id', '=', 'channels.id')
          .orderBy('number', direction)
          .limit(1);
      return [numbers('asc').as('first'), numbers('desc').as('last')];
    })
    .where('id', '=', channelId)
    .where('hidden_at_ms', 'is', null)
    .executeTakeFirst();
}

/**
 * The comments that answer one, oldest first, above the number `after`.
 * @returns undefined when that comment, or its channel, is not visible
 */
export async function listReplies(
  db: Database,
  channelId: string,
  number: number,
  { limit, after }: { limit: number; after: number },
): Promise<Omit<CommentPage, 'previous'> | undefined> {
  const original = await db
    .selectFrom('comments')
    .innerJoin('channels', 'channels.id', 'comments.channel_id')
    .select('reply_count')
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .where('hidden_at_ms', 'is', null)
    .executeTakeFirst();
  if (!original) return undefined;
  const rows = await selectComments(db)
    .where('channel_id', '=', channelId)
    .where('reply_to', '=', number)
    .where('number', '>', after)
    .orderBy('number')
    // One more row than the page has, to know whether another page follows.
    .limit(limit + 1)
    .execute();
  const comments = await completeComments(db, rows.slice(0, limit));
  const data = firstWithin(limits.listBytes, comments, jsonBytes);
  return { data, next: rows.length > data.length ? (data.at(-1)?.id ?? null) : null };
}
