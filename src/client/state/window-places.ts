import { commentNumber } from '../../shared/comment-id.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import { type ChannelState, type CommentWindow, lacksComments } from './state.ts';

/** Comments that a page around one has before its ten, where there are as many. */
const leastBefore = 10;

/** Whether the comments at a place are among those shown. */
export function hasPlace(channel: ChannelState, place: CommentRange): boolean {
  return !lacksComments(channel) && includesPlace(channel._id, channel, place);
}

export function includesPlace(
  channelId: string,
  { comments, moreBefore, moreAfter }: CommentWindow,
  { around, before, after }: CommentRange,
): boolean {
  const first = moreBefore === null ? 0 : (comments[0]?.number ?? Number.POSITIVE_INFINITY);
  const last = moreAfter === null ? Number.POSITIVE_INFINITY : (comments.at(-1)?.number ?? 0);
  const includes = (from: number, to: number) => first <= Math.max(1, from) && to <= last;
  if (around !== undefined) return includes(around - leastBefore, around + 9);
  const number = commentNumber(channelId, before ?? after ?? '') ?? 0;
  return before === undefined
    ? includes(number + 1, number + 1)
    : includes(number - 1, Math.max(0, number - 1));
}
