import { commentId } from '../../shared/comment-id.ts';
import type { CommentVersions, Subject } from '../../shared/moderation.ts';
import { nameKey } from '../accounts/names.ts';
import { setChannelVisibility } from '../channels/change-channel.ts';
import { eraseChannel } from '../channels/erase-channels.ts';
import { eraseComments } from '../comments/erase-comments.ts';
import {
  type CommentKey,
  findStored,
  lockChannel,
  type StoredComment,
  setVisibility,
} from '../comments/stored-comments.ts';
import { findNames } from '../database/mention-names.ts';
import { toPlainText } from '../database/stored-text.ts';
import { type Database, toInstant } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';
import { isMarkedForErasure, markedForErasure, type Visibility } from '../database/visible-rows.ts';
import { ApiError } from '../http/api-error.ts';
import { audited, type Moderator } from './audited.ts';
import { parseCommentId } from './report-subjects.ts';

export type Content = { kind: 'channel'; channelId: string } | ({ kind: 'comment' } & CommentKey);

/** Channels that `listChannels` searches, and comments that `listComments` returns. */
const searchedChannels = 500;
const maxComments = 50;

/** A channel or a comment in a transaction that holds the lock of the channel. */
export type LockedContent =
  | { kind: 'channel'; row: NonNullable<Awaited<ReturnType<typeof lockChannel>>> }
  | { kind: 'comment'; row: StoredComment };

export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @returns undefined for a person @throws ApiError when nothing can have that id: `comment_not_found`... */
export function findContent({ kind, id }: Subject): Content | undefined {
  const key = kind === 'comment' ? parseCommentId(id) : { channelId: id };
  if (!key || !uuid.test(key.channelId)) throw new ApiError(`${kind}_not_found`);
  if ('number' in key) return { kind: 'comment', ...key };
  return kind === 'channel' ? { kind, ...key } : undefined;
}

/** @returns undefined when it does not exist, or is being erased */
export async function lockContent(
  trx: Database,
  content: Content,
): Promise<LockedContent | undefined> {
  const channel = await lockChannel(trx, content.channelId);
  // The comments of a channel that is being erased go with it.
  if (!channel || isMarkedForErasure(channel)) return undefined;
  if (content.kind === 'channel') return { kind: 'channel', row: channel };
  const row = await findStored(trx, content);
  return row && !isMarkedForErasure(row) ? { kind: 'comment', row } : undefined;
}

export const isHidden = ({ row }: LockedContent) => row.hidden_at_ms !== null;

/** Hides content by a decision, or shows it; what its author deleted stays deleted. @param by null shows it */
export async function setHidden(
  trx: Database,
  announce: Announce,
  { kind, row }: LockedContent,
  by: string | null,
  nowMs: number,
): Promise<void> {
  const hidden = { hidden_at_ms: by === null ? null : nowMs, hidden_by: by };
  if (kind === 'comment') await setVisibility(trx, announce, [row], hidden, nowMs);
  else await setChannelVisibility(trx, announce, row, hidden);
  // Caches drop the channel and the lists that contain it.
  await announce({ kind: 'channel', channelId: kind === 'comment' ? row.channel_id : row.id });
}

/**
 * Erases a comment, or a channel with all its comments, which takes longer the more there are. The sweep erases their
 * images later.
 * @throws ApiError `channel_not_found`, `comment_not_found`
 */
export async function eraseContent(moderator: Moderator, content: Content): Promise<void> {
  await markForErasure(moderator, content);
  const { channelId } = content;
  if (content.kind === 'channel') await eraseChannel(moderator.db, channelId);
  else await eraseComments(moderator, channelId, [content.number], markedForErasure.deleted_at_ms);
}

/**
 * Begins an erasure that cannot be undone: nobody is shown the content from here on, and the hourly housekeeping of the
 * server erases it, also when `eraseContent` was interrupted.
 * @throws ApiError `channel_not_found`, `comment_not_found`
 */
export async function markForErasure(moderator: Moderator, content: Content): Promise<void> {
  const { kind, channelId } = content;
  const subject = kind === 'channel' ? channelId : commentId(channelId, content.number);
  const action = { row: `channel ${channelId}`, action: `erase-${kind}`, subject };
  await audited(moderator, action, async (trx, announce) => {
    const channel = await lockChannel(trx, channelId);
    const comment = kind === 'comment' ? await findStored(trx, content) : undefined;
    // The comments of a channel that is being erased go with it.
    if (!channel || (comment && isMarkedForErasure(channel)))
      throw new ApiError('channel_not_found');
    if (kind === 'comment' && !comment) throw new ApiError('comment_not_found');
    if (comment) await setVisibility(trx, announce, [comment], markedForErasure, moderator.now());
    else await setChannelVisibility(trx, announce, channel, markedForErasure);
    await announce({ kind: 'channel', channelId });
  });
}

/**
 * Searches the next 500 channels, hidden and deleted ones included, newest first.
 * @param search a part of the name, in any case and with or without accents, or of the id
 * @param after `next` of the page before
 */
export async function listChannels(
  { db }: Pick<Moderator, 'db'>,
  { search, after }: { search: string; after?: string | undefined },
) {
  const rows = await db
    .selectFrom('channels')
    .innerJoin('accounts', 'accounts.id', 'channels.account_id')
    .select(['channels.id', 'channels.name', 'comment_count', 'hidden_at_ms', 'deleted_at_ms'])
    .select(['closed_at_ms', 'account_id', 'accounts.name as author'])
    .$if(after !== undefined, (query) => query.where('channels.id', '<', after ?? ''))
    .orderBy('channels.id', 'desc')
    .limit(searchedChannels)
    .execute();
  const wanted = nameKey(search);
  const found = rows.filter(({ id, name }) => nameKey(`${id} ${name}`).includes(wanted));
  return {
    data: found.map((row) => ({ ...row, state: contentState(row) })),
    next: rows.length === searchedChannels ? (rows.at(-1)?.id ?? null) : null,
  };
}

/** @returns `erasing`, `hidden`, `deleted`, `closed` or, for all other content, an empty text */
function contentState(row: Visibility & { closed_at_ms?: number | null }): string {
  if (isMarkedForErasure(row)) return 'erasing';
  if (row.hidden_at_ms !== null) return 'hidden';
  if (row.deleted_at_ms !== null) return 'deleted';
  return row.closed_at_ms ? 'closed' : '';
}

/** The newest comments of a channel, hidden and deleted ones included, oldest first. */
export async function listComments({ db }: Pick<Moderator, 'db'>, channelId: string) {
  const rows = await db
    .selectFrom('comments')
    .innerJoin('accounts', 'accounts.id', 'comments.account_id')
    .select(['number', 'text', 'comments.created_at_ms', 'hidden_at_ms', 'deleted_at_ms'])
    .select(['account_id', 'accounts.name as author'])
    .where('channel_id', '=', channelId)
    .orderBy('number', 'desc')
    .limit(maxComments)
    .execute();
  const names = await findNames(
    db,
    rows.map(({ text }) => text),
  );
  return rows.reverse().map((row) => ({
    ...row,
    id: commentId(channelId, row.number),
    text: toPlainText(row.text, names),
    state: contentState(row),
  }));
}

/**
 * @returns the earlier texts of a comment, oldest first, and its current one; hidden and deleted comments
 * have them too
 * @throws ApiError `comment_not_found`
 */
export async function listVersions(
  { db }: Pick<Moderator, 'db'>,
  key: CommentKey,
): Promise<CommentVersions> {
  const current = await findStored(db, key);
  if (!current) throw new ApiError('comment_not_found');
  const earlier = await db
    .selectFrom('comment_versions')
    .select(['revision', 'text', 'replaced_at_ms'])
    .where('channel_id', '=', key.channelId)
    .where('number', '=', key.number)
    .orderBy('revision')
    .execute();
  const versions = [...earlier, { ...current, replaced_at_ms: null }];
  const names = await findNames(
    db,
    versions.map(({ text }) => text),
  );
  return {
    data: versions.map(({ revision, text, replaced_at_ms }) => ({
      ...{ revision, text: toPlainText(text, names) },
      until: replaced_at_ms === null ? null : toInstant(replaced_at_ms),
    })),
  };
}
