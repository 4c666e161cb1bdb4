import type { Channel } from '../../shared/channels.ts';
import { commentId, parseCommentId } from '../../shared/comment-id.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import type { Comment, CommentPage } from '../../shared/comments.ts';
import { type ChannelState, lacksComments } from './state.ts';

/** 0 for an id of another channel, which an address may have. */
function numberOf(channelId: string, id: string): number {
  const key = parseCommentId(id);
  return key?.channelId === channelId ? key.number : 0;
}

/** Merges by id, sorted by comment number. For a comment in both lists, `newer` wins. */
function mergeComments(older: Comment[], newer: Comment[]): Comment[] {
  const byId = new Map([...older, ...newer].map((comment) => [comment.id, comment]));
  return [...byId.values()].sort((a, b) => a.number - b.number);
}

/** Id of the last loaded comment; with `moreAfter`, that id. */
export function lastLoadedId({ _id, comments, moreBefore, moreAfter }: ChannelState): string {
  // A page without comments may come after those at its other end.
  const before = moreBefore === null ? 0 : numberOf(_id, moreBefore) - 1;
  return moreAfter ?? comments.at(-1)?.id ?? commentId(_id, before);
}

/** Adds one comment, unless it is known: authors get theirs in the response and from the stream. */
export function addComment(channel: ChannelState, comment: Comment): ChannelState {
  const { comments, moreAfter } = channel;
  const { number } = comment;
  const commentCount = countWith(channel, comment);
  // Comments before it are not loaded, so it is only counted.
  if (moreAfter !== null) {
    return commentCount > channel.commentCount ? { ...channel, commentCount } : channel;
  }
  if (number > (comments.at(-1)?.number ?? 0)) {
    return { ...channel, comments: [...comments, comment], commentCount };
  }
  if (comments.some((one) => one.number === number) || !hasNumbers(channel, number)) return channel;
  return { ...channel, comments: mergeComments(comments, [comment]), commentCount };
}

/** The most comments on a page. Beyond it, new ones are counted and left to be loaded. */
const maxShown = 5000;

/** Adds comments that were written since those at the end of the page. */
export function addNewer(channel: ChannelState, comments: Comment[]): ChannelState {
  const isFull = channel.comments.length + comments.length > maxShown;
  return comments.reduce(addComment, isFull ? leaveNewer(channel) : channel);
}

/** Leaves the comments after those of the page to be loaded. */
export function leaveNewer(channel: ChannelState): ChannelState {
  return { ...channel, moreAfter: lastLoadedId(channel) };
}

/**
 * Adds the page of comments that follows `moreAfter`.
 * @param newest number of the newest comment that was known when the page was requested
 */
export function addLaterPage(
  channel: ChannelState,
  { data, next, newest }: CommentPage & { newest: number },
): ChannelState {
  const comments = mergeComments(channel.comments, data);
  const last = data.at(-1);
  // The server may have made the page before they arrived.
  const hasNewer = newestNumber(channel) > Math.max(newest, last?.number ?? 0);
  return {
    ...channel,
    comments,
    commentCount: countWith(channel, last),
    moreAfter: next ?? (hasNewer ? (last?.id ?? channel.moreAfter) : null),
  };
}

/** Adds the page of comments that precedes `moreBefore`. */
export function addEarlierPage(
  channel: ChannelState,
  { data, previous }: CommentPage,
): ChannelState {
  const comments = mergeComments(data, channel.comments);
  return { ...channel, comments, moreBefore: previous };
}

/** The number of the newest comment: numbers start at 1, leave no gap and are not reused. */
export const newestNumber = ({
  commentCount,
  removedCount,
}: Pick<ChannelState, 'commentCount' | 'removedCount'>) => commentCount + removedCount;

/**
 * How many comments follow the loaded ones, while `moreAfter` says that some do. If it is not exact, at most so many:
 * some of them may have been removed.
 */
export function countLater(channel: ChannelState): { count: number; isExact: boolean } {
  const { comments, removedCount } = channel;
  const [first, last] = loadedNumbers(channel);
  const later = newestNumber(channel) - last;
  const removedElsewhere = removedCount - (last - first + 1 - comments.length);
  // None is removed before the first number.
  return first === 1
    ? { count: later - removedElsewhere, isExact: true }
    : { count: later, isExact: removedElsewhere === 0 };
}

/** The number of comments if `comment` is the newest. */
function countWith({ commentCount, removedCount }: ChannelState, comment?: Comment): number {
  return Math.max(commentCount, comment ? comment.number - removedCount : 0);
}

/** Whether the comments are loaded that a range asks for: the ten around a number, or the one next to its end. */
export function hasRange(channel: ChannelState, { around, before, after }: CommentRange): boolean {
  if (around !== undefined) return hasNumbers(channel, around, around + 9);
  const number = numberOf(channel._id, before ?? after ?? '');
  return before === undefined ? hasNumbers(channel, number + 1) : hasNumbers(channel, number - 1);
}

/** The first and the last number whose comments are loaded, or would be if they existed. */
export function loadedNumbers({ _id, moreBefore, moreAfter }: ChannelState): [number, number] {
  // Not those of the comments, of which the outermost may be removed and come back.
  return [
    moreBefore === null ? 1 : numberOf(_id, moreBefore),
    moreAfter === null ? Number.POSITIVE_INFINITY : numberOf(_id, moreAfter),
  ];
}

/** Whether the comments with these numbers are loaded, or would be if they existed. */
export function hasNumbers(channel: ChannelState, first: number, last = first): boolean {
  const [from, to] = loadedNumbers(channel);
  return from <= Math.max(1, first) && Math.max(1, last) <= to;
}

/**
 * A page that was loaded to replace the known comments. Those that have arrived since the server made it are left to be
 * loaded.
 */
export function replaceLoaded(known: ChannelState, loaded: ChannelState): ChannelState {
  const newest = newestNumber(known);
  if (lacksComments(known) || newest <= newestNumber(loaded)) return loaded;
  return { ...leaveNewer(loaded), commentCount: newest - loaded.removedCount };
}

/** The part of a channel that a page shows, as it was fetched again. */
export interface Refreshed {
  channel: Channel;
  /** The first and the last number of comments that were fetched again. */
  from: number;
  to: number;
  /** Whether the page has no later ones, but for those that arrived meanwhile. */
  isEnd: boolean;
  /** Whether others follow those of the page. */
  hasLater: boolean;
}

/** Replaces what a page shows. Comments that were not fetched again are left out. */
export function refresh(
  known: ChannelState,
  { channel, from, to, isEnd, hasLater }: Refreshed,
): ChannelState {
  const former = new Map(known.comments.map((comment) => [comment.number, comment]));
  const current = channel.comments
    .filter(({ number }) => from <= number && number <= to)
    .map((comment) => {
      const one = former.get(comment.number);
      // One that this tab edited meanwhile, or the same object, so that it is not rendered again.
      const isKept =
        one && (one.revision > comment.revision || JSON.stringify(one) === JSON.stringify(comment));
      return isKept ? one : comment;
    });
  // The answer has all comments up to this one. What was added meanwhile and is not in it was removed.
  const answered = hasLater ? to : newestNumber(channel);
  const isAnswered = new Set(channel.comments.map(({ number }) => number));
  const arrived = known.comments.filter(
    ({ number }) => number > to && (number > answered || isAnswered.has(number)),
  );
  const newest = Math.max(newestNumber(channel), newestNumber(known));
  const moreAfter = isEnd && !hasLater ? null : known.moreAfter;
  return {
    ...known,
    ...channel,
    commentCount: newest - channel.removedCount,
    comments: isEnd ? [...current, ...arrived] : current,
    moreBefore: from > loadedNumbers(known)[0] ? commentId(known._id, from) : known.moreBefore,
    moreAfter: isEnd ? moreAfter : commentId(known._id, to),
  };
}
