import type { RawBuilder, Selectable, SqlBool } from 'kysely';
import type { CommentImage } from '../../../shared/comments.ts';
import type { Held } from '../../../shared/held.ts';
import { limits } from '../../../shared/limits.ts';
import { engineOf } from '../../database/engine.ts';
import { findNames } from '../../database/mention-names.ts';
import { type Names, readText, type StoredText, toStoredText } from '../../database/stored-text.ts';
import { type Database, type Tables, toInstant } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { withSignedUrls } from '../../images/signed-urls.ts';

/** A comment or a channel, checked and ready to be published. */
export type Post =
  | { kind: 'comment'; content: HeldComment }
  | { kind: 'channel'; content: HeldChannel };

/** `NewCommentContent` of forum/comments/post-comment.ts. */
interface HeldComment {
  channelId: string;
  text: StoredText;
  images: CommentImage[];
  reply?: { replyTo: number; excerpt: string } | undefined;
}

/** `NewChannelRow` of forum/channels/channel-queries.ts. */
type HeldChannel = Pick<Tables['channels'], 'name' | 'description' | 'cover' | 'cover_alt'>;

/** Rows that one transaction erases. */
const batch = 50;

export type HeldRow = Selectable<Tables['held']>;

/** The post that a row holds. */
export function postOf({ kind, content }: Pick<HeldRow, 'kind' | 'content'>): Post {
  return { kind, content: JSON.parse(content) } as Post;
}

export function imagesOf({ kind, content }: Post): CommentImage[] {
  if (kind === 'comment') return content.images;
  return [{ url: content.cover, alt: content.cover_alt }];
}

/** The whole text of a post, in stored form. */
export function textOf({ kind, content }: Post) {
  return kind === 'comment'
    ? content.text
    : toStoredText(`${content.name}\n\n${content.description}`);
}

/** The newest that an account has waiting, or refused, the oldest first. @param id selects this one only */
export async function listHeld(
  db: Database,
  accountId: string,
  nowMs: number,
  id?: string,
): Promise<Held[]> {
  const rows = await db
    .selectFrom('held')
    .leftJoin('decisions', 'decisions.id', 'held.rejected_by')
    .selectAll('held')
    .select('decisions.reason as refusal')
    .where('held.account_id', '=', accountId)
    .$if(id !== undefined, (query) => query.where('held.id', '=', id ?? ''))
    .orderBy('held.id', 'desc')
    .limit(2 * limits.heldPerAccount)
    .execute();
  const posts = rows.reverse().map((row) => {
    const post = postOf(row);
    return { row, post, images: imagesOf(post) };
  });
  const names = await findNames(
    db,
    posts.map(({ post }) => textOf(post)),
  );
  const signed = await withSignedUrls(db, posts, nowMs);
  return signed.map(({ row, post: { kind, content }, images }) => ({
    ...{ id: row.id, state: row.rejected_by === null ? 'pending' : 'rejected', number: null },
    ...{ reason: row.refusal ?? '', channelId: row.channel_id },
    ...{ createdAt: toInstant(row.created_at_ms), comment: '', mentions: [], images: [] },
    ...{ replyTo: null, replyExcerpt: '', name: '', description: '', cover: '', coverAlt: '' },
    ...(kind === 'comment'
      ? { kind, ...commentOf(content, names), images }
      : {
          ...{ kind, name: content.name, description: content.description },
          ...{ cover: images[0]?.url ?? '', coverAlt: content.cover_alt },
        }),
  }));
}

function commentOf({ text, reply }: HeldComment, names: Names) {
  const { text: comment, mentions } = readText(text, names);
  return { comment, mentions, replyTo: reply?.replyTo ?? null, replyExcerpt: reply?.excerpt ?? '' };
}

/** As `listHeld`; undefined when the account has no such one. */
export async function findHeld(db: Database, accountId: string, nowMs: number, id: string) {
  const [held] = await listHeld(db, accountId, nowMs, id);
  return held;
}

/** Locks a row until the transaction ends. @returns undefined when the account has no such one */
export function lockHeld(trx: Database, accountId: string, id: string) {
  return trx
    .updateTable('held')
    .set((eb) => ({ content: eb.ref('content') }))
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirst();
}

/** Keeps the images of a post for as long as it is held. */
export async function keepHeldImages(trx: Database, id: string, post: Post): Promise<void> {
  const urls = new Set(imagesOf(post).map(({ url }) => url));
  const rows = [...urls]
    .filter((url) => url.startsWith('/files/'))
    .map((url) => ({ held_id: id, url }));
  if (rows.length > 0) await trx.insertInto('held_images').values(rows).execute();
}

/** Erases what held replies to these comments quote. Call it while the channel is locked, which keeps replies waiting. */
export async function eraseHeldExcerpts(
  trx: Database,
  channelId: string,
  numbers: number[],
): Promise<void> {
  const content = engineOf(trx).setJson('content', ['reply', 'excerpt'], '');
  await trx
    .updateTable('held')
    .set({ content })
    .where('channel_id', '=', channelId)
    .where('reply_to', 'in', numbers)
    .execute();
}

/** Deletes rows that the caller has locked. @returns the URLs of their images */
export async function deleteHeld(trx: Database, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const images = await trx
    .deleteFrom('held_images')
    .where('held_id', 'in', ids)
    .returning('url')
    .execute();
  await trx.deleteFrom('held').where('id', 'in', ids).execute();
  return images.map(({ url }) => url);
}

/** Erases the rows that meet a condition, with their images. @returns how many */
export async function eraseHeld(
  services: { transact: Transact },
  condition: RawBuilder<SqlBool>,
): Promise<number> {
  const erased = await services.transact('held', async (trx) => {
    const first = trx.selectFrom('held').select('id').where(condition).limit(batch);
    // Locks them: one of them may be refused, or changed, at this moment.
    const locked = trx.updateTable('held').set({ content: '{}' }).where('id', 'in', first);
    const rows = await locked.where(condition).returning('id').execute();
    const urls = await deleteHeld(
      trx,
      rows.map(({ id }) => id),
    );
    // Else they would be shown until the sweep, like all that nothing has yet.
    await markForSweep(trx, urls);
    return rows.length;
  });
  return erased < batch ? erased : erased + (await eraseHeld(services, condition));
}
