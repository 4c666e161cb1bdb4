import { commentId } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { Person, PersonComment, PersonCommentPage } from '../../shared/people.ts';
import { completeComments, isAt } from '../comments/comment-details.ts';
import { firstWithin, selectComments } from '../comments/comment-rows.ts';
import {
  formatPersonCommentCursor,
  type PersonCommentCursor,
  parsePersonCommentCursor,
} from '../database/cursors.ts';
import { type Database, toInstant } from '../database/tables.ts';
import { isVisibleRow } from '../database/visible-rows.ts';
import { ApiError } from '../http/api-error.ts';

/**
 * Newest comments of a person that are searched for one page. Those in hidden channels are skipped, so
 * a list ends after this many of them in a row.
 */
const searchedComments = 1000;

/**
 * What everybody may know of an account, also of a disabled one, whose channels and comments stay.
 * An erased one is not found.
 * @throws ApiError `user_not_found`
 */
export async function requirePerson(db: Database, id: string): Promise<Person> {
  const account = await db
    .selectFrom('accounts')
    .select((eb) => [
      'id',
      'name',
      'img',
      'created_at_ms',
      eb
        .selectFrom('visible_channels')
        .whereRef('visible_channels.account_id', '=', 'accounts.id')
        .select(eb.fn.countAll<number>().as('count'))
        .as('channel_count'),
    ])
    .where('id', '=', id)
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (!account) throw new ApiError('user_not_found');
  return {
    id: account.id,
    name: account.name,
    img: account.img ?? '',
    createdAt: toInstant(account.created_at_ms),
    channelCount: Number(account.channel_count),
  };
}

/**
 * One page of a person's visible comments, newest first; fewer than `limit` where they would take up
 * more than `limits.pageBytes` of JSON.
 * @param after `next` of the page before
 * @throws InvalidCursor
 */
export async function listPersonComments(
  db: Database,
  accountId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<PersonCommentPage> {
  const cursor = after === undefined ? undefined : parsePersonCommentCursor(after);
  // One more than the page has, to know whether another page follows.
  const places = await findPlaces(db, accountId, cursor, limit + 1);
  const items = await readItems(db, accountId, places.slice(0, limit));
  const data = firstWithin(limits.pageBytes, items, (item) =>
    Buffer.byteLength(JSON.stringify(item)),
  );
  const last = data.at(-1)?.comment;
  const hasMore = places.length > limit || items.length > data.length;
  return { data, next: hasMore && last ? formatPersonCommentCursor(cursorAt(last)) : null };
}

type CommentPlace = Awaited<ReturnType<typeof findPlaces>>[number];

/** Where a person's newest visible comments are, with the names of their channels. */
function findPlaces(
  db: Database,
  accountId: string,
  after: PersonCommentCursor | undefined,
  limit: number,
) {
  // Not of the view, which would go on through any number of comments in hidden channels.
  let newest = db
    .selectFrom('comments')
    .select(['created_at_ms', 'channel_id', 'number'])
    .where('account_id', '=', accountId)
    .where(isVisibleRow)
    .orderBy('created_at_ms', 'desc')
    .orderBy('channel_id', 'desc')
    .orderBy('number', 'desc')
    .limit(searchedComments);
  if (after) {
    newest = newest.where((eb) =>
      eb(
        eb.refTuple('created_at_ms', 'channel_id', 'number'),
        '<',
        eb.tuple(after.createdAtMs, after.channelId, after.number),
      ),
    );
  }
  return db
    .selectFrom(newest.as('newest'))
    .innerJoin('visible_channels', 'visible_channels.id', 'newest.channel_id')
    .select(['newest.created_at_ms', 'newest.channel_id', 'newest.number', 'visible_channels.name'])
    .orderBy('newest.created_at_ms', 'desc')
    .orderBy('newest.channel_id', 'desc')
    .orderBy('newest.number', 'desc')
    .limit(limit)
    .execute();
}

/** The comments at these places, in their order. @param authorId of all of them */
async function readItems(
  db: Database,
  authorId: string,
  places: CommentPlace[],
): Promise<PersonComment[]> {
  if (places.length === 0) return [];
  const rows = await selectComments(db)
    .where(isAt(places))
    // For PostgreSQL, which would expect many authors and read all accounts.
    .where('accounts.id', '=', authorId)
    .execute();
  const comments = await completeComments(db, rows);
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  return places.flatMap(({ channel_id, number, name }) => {
    const comment = byId.get(commentId(channel_id, number));
    return comment ? [{ comment, channel: { _id: channel_id, name } }] : [];
  });
}

function cursorAt({ createdAt, channelId, number }: Comment): PersonCommentCursor {
  return { createdAtMs: Date.parse(createdAt), channelId, number };
}
