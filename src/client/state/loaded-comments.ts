import type { Channel } from '../../shared/channels.ts';
import { commentId, commentNumber } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import type { ChannelState } from './state.ts';

const numberOf = (channelId: string, id: string) => commentNumber(channelId, id) ?? 0;

/** Merges by id, sorted by comment number. For a comment in both lists, `newer` wins. */
function mergeComments(channelId: string, older: Comment[], newer: Comment[]): Comment[] {
  const byId = new Map([...older, ...newer].map((comment) => [comment.id, comment]));
  return [...byId.values()].sort((a, b) => numberOf(channelId, a.id) - numberOf(channelId, b.id));
}

/**
 * The number up to which the comments after `from` are loaded without a gap. Comments are numbered
 * consecutively, so more missing numbers than the channel has removed comments mean a gap, as when
 * the response to a comment of this tab arrives before comments that others sent earlier.
 */
function contiguousEnd(
  { _id, removedCount, isFirstPage }: ChannelState,
  comments: Comment[],
  from: number,
): number {
  const [first] = comments;
  let end = first && !isFirstPage ? numberOf(_id, first.id) - 1 : 0;
  let removed = removedCount;
  for (const { id } of comments) {
    const number = numberOf(_id, id);
    removed -= number - end - 1;
    if (number > from && removed < 0) break;
    end = number;
  }
  return Math.max(end, from);
}

/** Id of the last comment before which none is missing; with `moreAfter`, that id. */
export function lastContiguousId(channel: ChannelState): string {
  const { _id, comments, moreAfter } = channel;
  const [first] = comments;
  const from = first ? numberOf(_id, first.id) : 0;
  return moreAfter ?? commentId(_id, contiguousEnd(channel, comments, from));
}

/** Splits the comments at `moreAfter`: those loaded page by page, and live ones from after the gap. */
export function splitAtGap({ _id, comments, moreAfter }: ChannelState): [Comment[], Comment[]] {
  if (!moreAfter) return [comments, []];
  const end = numberOf(_id, moreAfter);
  const rest = comments.findIndex(({ id }) => numberOf(_id, id) > end);
  return rest < 0 ? [comments, []] : [comments.slice(0, rest), comments.slice(rest)];
}

/** Adds one comment, unless it is known: authors get theirs in the response and from the stream. */
export function addComment(channel: ChannelState, comment: Comment): ChannelState {
  const { _id, comments } = channel;
  if (comments.some(({ id }) => id === comment.id)) return channel;
  return {
    ...channel,
    comments: mergeComments(_id, comments, [comment]),
    commentCount: countWith(channel, comment),
  };
}

/** Adds the page of comments that follows `moreAfter`. */
export function addCommentPage(
  channel: ChannelState,
  page: Comment[],
  next: string | null,
): ChannelState {
  const { _id, removedCount } = channel;
  const comments = mergeComments(_id, channel.comments, page);
  const commentCount = countWith(channel, comments.at(-1));
  if (!next) return { ...channel, comments, commentCount, moreAfter: null };
  // Live comments that follow the page may close the gap.
  const end = contiguousEnd(channel, comments, numberOf(_id, next));
  const moreAfter = end >= commentCount + removedCount ? null : commentId(_id, end);
  return { ...channel, comments, commentCount, moreAfter };
}

/** The number of comments if `comment` is the newest: numbers start at 1 and are not reused. */
function countWith({ _id, commentCount, removedCount }: ChannelState, comment?: Comment): number {
  return Math.max(commentCount, comment ? numberOf(_id, comment.id) - removedCount : 0);
}

/** Joins a newly fetched first page with the comments loaded earlier, also from the first. */
export function joinFirstPage(
  known: ChannelState,
  fetched: Channel,
  moreAfter: string | null,
): ChannelState {
  const { _id } = fetched;
  const comments = mergeComments(_id, known.comments, fetched.comments);
  const isKnownLonger =
    moreAfter !== null && numberOf(_id, lastContiguousId(known)) > numberOf(_id, moreAfter);
  return {
    ...fetched,
    comments,
    moreAfter: isKnownLonger ? known.moreAfter : moreAfter,
    isFirstPage: true,
  };
}
