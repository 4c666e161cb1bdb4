import { sql } from 'kysely';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import type { Person, PersonComment, PersonCommentPage } from '../../../shared/people.ts';
import { isListed } from '../../accounts/standing/listed.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { completeComments, firstWithin, selectComments } from '../comments/comment-details.ts';
import { isAt } from '../comments/comment-keys.ts';
import { formatTimedCursor, isPast, parseTimedCursor, type TimedCursor } from '../cursors.ts';

/**
 * Finds the public data of an account, including disabled ones, whose channels and comments stay. Erased accounts are
 * never found. Hidden accounts, and those that no moderator has reviewed yet, are found only with `evenHidden`.
 * @throws ApiError `user_not_found`
 */
export async function requirePerson(
  db: Database,
  id: string,
  { evenHidden = false } = {},
): Promise<Person> {
  const account = await db
    .selectFrom('accounts')
    .select((eb) => [
      'id',
      'name',
      'img',
      'role',
      'created_at_ms',
      'hidden_by',
      sql<number>`case when ${isListed} then 1 else 0 end`.as('is_listed'),
      eb
        .selectFrom('visible_channels')
        .whereRef('visible_channels.account_id', '=', 'accounts.id')
        .select(eb.fn.countAll<number>().as('count'))
        .as('channel_count'),
    ])
    .where('id', '=', id)
    .where('erased_at_ms', 'is', null)
    .where('admission', 'is', null)
    .$if(!evenHidden, (query) => query.where(isListed))
    .executeTakeFirst();
  if (!account) throw new ApiError('user_not_found');
  return {
    id: account.id,
    name: account.name,
    img: account.img ?? '',
    ...(account.role === 'member' ? {} : { role: account.role }),
    createdAt: toInstant(account.created_at_ms),
    channelCount: Number(account.channel_count),
    ...(account.hidden_by !== null
      ? { hiddenBy: account.hidden_by }
      : Number(account.is_listed) === 0 && { isUnseen: true as const }),
  };
}

/**
 * One page of a person's visible comments, newest first; fewer than `limit` if their JSON would exceed
 * `limits.pageBytes`.
 * @param after `next` of the previous page
 * @throws InvalidCursor
 */
export async function listPersonComments(
  db: Database,
  accountId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<PersonCommentPage> {
  const cursor = after === undefined ? undefined : parseTimedCursor('', after);
  // One more than the page has, to know whether another page follows.
  const keys = await findKeys(db, accountId, cursor, limit + 1);
  const items = await readItems(db, accountId, keys.slice(0, limit));
  const data = firstWithin(limits.pageBytes, items, (item) =>
    Buffer.byteLength(JSON.stringify(item)),
  );
  const last = data.at(-1)?.comment;
  const hasMore = keys.length > limit || items.length > data.length;
  return { data, next: hasMore && last ? formatTimedCursor('', cursorAt(last)) : null };
}

type PersonCommentKey = Awaited<ReturnType<typeof findKeys>>[number];

/** Finds the keys of a person's newest visible comments, with the names of their channels. */
function findKeys(db: Database, accountId: string, after: TimedCursor | undefined, limit: number) {
  const newest = db
    .selectFrom('visible_comments as comments')
    .select(['created_at_ms', 'channel_id', 'number'])
    .where('account_id', '=', accountId)
    .where(isPast('created_at_ms', '<', after))
    .orderBy('created_at_ms', 'desc')
    .orderBy('channel_id', 'desc')
    .orderBy('number', 'desc')
    .limit(limit);
  return db
    .selectFrom(newest.as('newest'))
    .innerJoin('visible_channels', 'visible_channels.id', 'newest.channel_id')
    .select(['newest.created_at_ms', 'newest.channel_id', 'newest.number', 'visible_channels.name'])
    .orderBy('newest.created_at_ms', 'desc')
    .orderBy('newest.channel_id', 'desc')
    .orderBy('newest.number', 'desc')
    .execute();
}

/** Reads comments by their keys, in the given order. @param authorId author of all of them */
async function readItems(
  db: Database,
  authorId: string,
  keys: PersonCommentKey[],
): Promise<PersonComment[]> {
  if (keys.length === 0) return [];
  const rows = await selectComments(db)
    .where(isAt(keys))
    // Without this condition, PostgreSQL would expect many authors and read all accounts.
    .where('accounts.id', '=', authorId)
    .execute();
  const comments = await completeComments(db, rows);
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  return keys.flatMap(({ channel_id, number, name }) => {
    const comment = byId.get(commentId(channel_id, number));
    return comment ? [{ comment, channel: { _id: channel_id, name } }] : [];
  });
}

function cursorAt({ createdAt, channelId, number }: Comment): TimedCursor {
  return { atMs: Date.parse(createdAt), channelId, number };
}
