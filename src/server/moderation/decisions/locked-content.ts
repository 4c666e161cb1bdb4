import { type CommentKey, parseCommentId } from '../../../shared/comment-id.ts';
import type { Subject } from '../../../shared/moderation.ts';
import type { Database } from '../../database/tables.ts';
import type { Announce } from '../../database/transactions.ts';
import { setChannelVisibility } from '../../forum/channels/change-channel.ts';
import {
  findStored,
  lockChannel,
  type StoredComment,
  setVisibility,
} from '../../forum/comments/stored-comments.ts';
import { uuid } from '../../forum/cursors.ts';
import { isMarkedForErasure } from '../../forum/visible-rows.ts';
import { ApiError } from '../../http/api-error.ts';

export type Content = { kind: 'channel'; channelId: string } | ({ kind: 'comment' } & CommentKey);

/** A channel or a comment, read in a transaction that has locked the channel. */
export type LockedContent =
  | { kind: 'channel'; row: NonNullable<Awaited<ReturnType<typeof lockChannel>>> }
  | { kind: 'comment'; row: StoredComment };

/** @returns undefined for a person @throws ApiError `comment_not_found` or a similar one for an invalid id */
export function findContent({ kind, id }: Subject): Content | undefined {
  const key = kind === 'comment' ? parseCommentId(id) : { channelId: id };
  if (!key || !uuid.test(key.channelId)) throw new ApiError(`${kind}_not_found`);
  if ('number' in key) return { kind: 'comment', ...key };
  return kind === 'channel' ? { kind, ...key } : undefined;
}

/** @returns undefined when it does not exist or is being erased */
export async function lockContent(
  trx: Database,
  content: Content,
): Promise<LockedContent | undefined> {
  const channel = await lockChannel(trx, content.channelId);
  // The comments of a channel that is being erased are erased with it.
  if (!channel || isMarkedForErasure(channel)) return undefined;
  if (content.kind === 'channel') return { kind: 'channel', row: channel };
  const row = await findStored(trx, content);
  return row && !isMarkedForErasure(row) ? { kind: 'comment', row } : undefined;
}

/** Hides or shows content; deleted content stays deleted. @param by the decision that hides it; null shows it */
export async function setHidden(
  trx: Database,
  announce: Announce,
  { kind, row }: LockedContent,
  by: string | null,
): Promise<void> {
  const hidden = { hidden_by: by };
  if (kind === 'comment') return setVisibility(trx, announce, [row], hidden);
  await setChannelVisibility(trx, row, hidden);
  await announce({ kind: 'channel', channelId: row.id });
}
