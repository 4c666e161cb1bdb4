import type { RawBuilder, Selectable, SqlBool } from 'kysely';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { CommentImage } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import type { PendingPost } from '../../../shared/pending.ts';
import { Nullable } from '../../../shared/schema.ts';
import { type Database, type Tables, toInstant } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { withSignedUrls } from '../../images/signed-urls.ts';
import { findNames } from '../../texts/mention-names.ts';
import { type Names, readText, type StoredText, toStoredText } from '../../texts/stored-text.ts';
import { withCarried } from '../../texts/whole-text.ts';
import { carriedWords } from '../comments/carried-words.ts';
import type { SentFile } from '../comments/comment-content.ts';
import { findFiles } from '../files/comment-files.ts';

/** A comment or a channel, checked and ready to be published. */
export type Post =
  | { kind: 'comment'; content: PendingComment }
  | { kind: 'channel'; content: PendingChannel };

/** `EventContent` of forum/events/event-content.ts. */
const PendingEvent = Type.Object({
  title: Type.String(),
  location: Type.String(),
  zone: Type.String(),
  allDay: Type.Boolean(),
  capacity: Nullable(Type.Integer()),
  dates: Type.Array(Type.Object({ start: Type.String(), end: Nullable(Type.String()) })),
});

/** `PollContent` of forum/polls/poll-content.ts. */
const PendingPoll = Type.Object({
  multiple: Type.Boolean(),
  secret: Type.Boolean(),
  closesAt: Type.String(),
  options: Type.Array(Type.Object({ text: Type.String(), start: Nullable(Type.String()) })),
});

/** `NewCommentContent` of forum/comments/post-comment.ts. */
const PendingComment = Type.Object({
  channelId: Type.String(),
  text: Type.Unsafe<StoredText>(Type.String()),
  images: Type.Array(CommentImage),
  replyTo: Nullable(Type.Integer()),
  // Posts that were stored by earlier versions lack these.
  event: Nullable(PendingEvent),
  poll: Nullable(PendingPoll),
  files: Type.Array(Type.Object({ url: Type.String(), name: Type.String() })),
});
type PendingComment = Static<typeof PendingComment>;

/** `NewChannelRow` of forum/channels/channel-queries.ts. */
const PendingChannel = Type.Object({
  name: Type.String(),
  description: Type.String(),
  cover: Type.String(),
  cover_alt: Type.String(),
});
type PendingChannel = Static<typeof PendingChannel>;

/** Rows erased per transaction. */
const batch = 50;

export type PendingRow = Selectable<Tables['pending_posts']>;

export function postOf({ kind, content }: Pick<PendingRow, 'kind' | 'content'>): Post {
  const stored: unknown = JSON.parse(content);
  return kind === 'comment'
    ? {
        kind,
        content: Value.Parse(PendingComment, {
          ...{ event: null, poll: null, files: [] },
          ...(stored as object),
        }),
      }
    : { kind, content: Value.Parse(PendingChannel, stored) };
}

export function imagesOf({ kind, content }: Post): CommentImage[] {
  if (kind === 'comment') return content.images;
  return [{ url: content.cover, alt: content.cover_alt }];
}

export const filesOf = ({ kind, content }: Post): SentFile[] =>
  kind === 'comment' ? content.files : [];

/** The whole text of a post, in stored form. */
export function textOf({ kind, content }: Post) {
  return kind === 'comment'
    ? withCarried(content.text, carriedWords(content))
    : toStoredText(`${content.name}\n\n${content.description}`);
}

/** The newest posts of an account that are pending or were rejected, oldest first. @param id selects only this one */
export async function listPendingPosts(
  db: Database,
  accountId: string,
  nowMs: number,
  id?: string,
): Promise<PendingPost[]> {
  const rows = await db
    .selectFrom('pending_posts')
    .leftJoin('decisions', 'decisions.id', 'pending_posts.rejected_by')
    .selectAll('pending_posts')
    .select('decisions.reason as refusal')
    .where('pending_posts.account_id', '=', accountId)
    .$if(id !== undefined, (query) => query.where('pending_posts.id', '=', id ?? ''))
    .orderBy('pending_posts.id', 'desc')
    .limit(2 * limits.pendingPerAccount)
    .execute();
  const read = rows.reverse().map((row) => ({ row, post: postOf(row) }));
  const found = await findFiles(
    db,
    read.flatMap(({ post }) => filesOf(post).map(({ url }) => url)),
  );
  const posts = read.map(({ row, post }) => {
    const files = filesOf(post).flatMap(({ url }) => found.get(url) ?? []);
    return { row, post, images: imagesOf(post), files };
  });
  const names = await findNames(
    db,
    posts.map(({ post }) => textOf(post)),
  );
  const signed = await withSignedUrls(db, posts, nowMs);
  return signed.map(({ row, post: { kind, content }, images, files }) => ({
    id: row.id,
    state: row.rejected_by === null ? 'pending' : 'rejected',
    number: null,
    reason: row.refusal ?? '',
    channelId: row.channel_id,
    createdAt: toInstant(row.created_at_ms),
    comment: '',
    mentions: [],
    images: [],
    files,
    replyTo: null,
    event: null,
    poll: null,
    name: '',
    description: '',
    cover: '',
    coverAlt: '',
    ...(kind === 'comment'
      ? { kind, ...commentOf(content, names), images }
      : {
          kind,
          name: content.name,
          description: content.description,
          cover: images[0]?.url ?? '',
          coverAlt: content.cover_alt,
        }),
  }));
}

function commentOf({ text, replyTo, event, poll }: PendingComment, names: Names) {
  const { text: comment, mentions } = readText(text, names);
  return { comment, mentions, replyTo, event, poll };
}

/** Like `listPendingPosts`; undefined when the account has no such post. */
export async function findPendingPost(db: Database, accountId: string, nowMs: number, id: string) {
  const [pendingPost] = await listPendingPosts(db, accountId, nowMs, id);
  return pendingPost;
}

/** Locks a row until the transaction ends. @returns undefined when the account has no such post */
export function lockPendingPost(trx: Database, accountId: string, id: string) {
  return trx
    .selectFrom('pending_posts')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Records which images and files a pending post uses, so that the sweep does not delete them. */
export async function keepPendingImages(trx: Database, id: string, post: Post): Promise<void> {
  const urls = new Set([...imagesOf(post), ...filesOf(post)].map(({ url }) => url));
  const rows = [...urls]
    .filter((url) => url.startsWith('/files/'))
    .map((url) => ({ pending_post_id: id, url }));
  if (rows.length > 0) await trx.insertInto('pending_post_images').values(rows).execute();
}

/** Deletes rows that the caller has locked. @returns the URLs of their images and files */
export async function deletePendingPosts(trx: Database, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const images = await trx
    .deleteFrom('pending_post_images')
    .where('pending_post_id', 'in', ids)
    .returning('url')
    .execute();
  await trx.deleteFrom('pending_posts').where('id', 'in', ids).execute();
  return images.map(({ url }) => url);
}

/** Erases the rows that meet a condition, with their images. @returns the number erased */
export async function erasePendingPosts(
  services: { withTransaction: WithTransaction },
  condition: RawBuilder<SqlBool>,
): Promise<number> {
  const erased = await services.withTransaction('pending_posts', async (trx) => {
    const first = trx.selectFrom('pending_posts').select('id').where(condition).limit(batch);
    // One may be rejected or changed at the same time.
    const rows = await first.forNoKeyUpdate().execute();
    const urls = await deletePendingPosts(
      trx,
      rows.map(({ id }) => id),
    );
    // Otherwise the images would be shown until the next sweep, like new uploads.
    await markForSweep(trx, urls);
    return rows.length;
  });
  return erased < batch ? erased : erased + (await erasePendingPosts(services, condition));
}
