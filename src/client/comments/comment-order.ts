import { commentId, commentNumber } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import type { ChannelState } from '../state/state.ts';

const numberOf = (channelId: string, id: string) => commentNumber(channelId, id) ?? 0;

/** Merges by id, sorted by comment number. For a comment in both lists, `newer` wins. */
export function mergeComments(channelId: string, older: Comment[], newer: Comment[]): Comment[] {
  const byId = new Map([...older, ...newer].map((comment) => [comment.id, comment]));
  return [...byId.values()].sort((a, b) => numberOf(channelId, a.id) - numberOf(channelId, b.id));
}

/**
 * The id up to which the comments after `from` are loaded without a gap. Comments are numbered
 * consecutively, so more missing numbers than the channel has removed comments mean a gap, as when
 * the response to a comment of this tab arrives before comments that others sent earlier.
 */
export function unbrokenUntil(
  { _id, removedCount, isFirstPage }: ChannelState,
  comments: Comment[],
  from: string,
): string {
  const fromNumber = numberOf(_id, from);
  const [first] = comments;
  let end = first && !isFirstPage ? numberOf(_id, first.id) - 1 : 0;
  let removed = removedCount;
  for (const { id } of comments) {
    const number = numberOf(_id, id);
    removed -= number - end - 1;
    if (number > fromNumber && removed < 0) break;
    end = number;
  }
  return commentId(_id, Math.max(end, fromNumber));
}

/** Id of the last comment before which none is missing; with `moreAfter`, that id. */
export function lastUnbroken(channel: ChannelState): string {
  const { _id, comments, moreAfter } = channel;
  const first = comments[0];
  if (moreAfter || !first) return moreAfter ?? commentId(_id, 0);
  return unbrokenUntil(channel, comments, first.id);
}

/** Splits the comments at `moreAfter`: those loaded page by page, and live ones from after the gap. */
export function splitAtGap({ _id, comments, moreAfter }: ChannelState): [Comment[], Comment[]] {
  if (!moreAfter) return [comments, []];
  const end = numberOf(_id, moreAfter);
  const rest = comments.findIndex(({ id }) => numberOf(_id, id) > end);
  return rest < 0 ? [comments, []] : [comments.slice(0, rest), comments.slice(rest)];
}

/** Whether the comment `id` comes after `other` in the channel. */
export function isAfter(channelId: string, id: string, other: string): boolean {
  return numberOf(channelId, id) > numberOf(channelId, other);
}
