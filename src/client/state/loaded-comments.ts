import type { Channel } from '../../shared/channels.ts';
import { commentId, parseCommentId } from '../../shared/comment-id.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import type { Comment, CommentPage } from '../../shared/comments.ts';
import { type ChannelState, lacksComments } from './state.ts';

/** 0 for an id of another channel, which a URL may contain. */
function numberOf(channelId: string, id: string): number {
  const key = parseCommentId(id);
  return key?.channelId === channelId ? key.number : 0;
}

/** Merges by id, sorted by comment number. For a comment in both lists, `newer` wins. */
function mergeComments(older: Comment[], newer: Comment[]): Comment[] {
  const byId = new Map([...older, ...newer].map((comment) => [comment.id, comment]));
  return [...byId.values()].sort((a, b) => a.number - b.number);
}

/** Id of the last loaded comment, or the `moreAfter` cursor if there is one. */
export function lastLoadedId({ _id, comments, moreBefore, moreAfter }: ChannelState): string {
  // A page may be empty although there are earlier comments. The last id is then the one before its range.
  const before = moreBefore === null ? 0 : numberOf(_id, moreBefore) - 1;
  return moreAfter ?? comments.at(-1)?.id ?? commentId(_id, before);
}

/** Adds one comment unless it is known: authors receive theirs in the response and on the stream. */
export function addComment(channel: ChannelState, comment: Comment): ChannelState {
  const { comments, moreAfter } = channel;
  const { number } = comment;
  const commentCount = countWith(channel, comment);
  // The preceding comments are not loaded, so this one is only counted.
  if (moreAfter !== null) {
    return commentCount > channel.commentCount ? { ...channel, commentCount } : channel;
  }
  if (number > (comments.at(-1)?.number ?? 0)) {
    return { ...channel, comments: [...comments, comment], commentCount };
  }
  if (comments.some((one) => one.number === number) || !hasNumbers(channel, number)) return channel;
  return { ...channel, comments: mergeComments(comments, [comment]), commentCount };
}

/** The maximum number of comments on a page. Beyond it, new ones are counted but not added. */
const maxShown = 5000;

/** Adds comments written since the last one on the page. */
export function addNewer(channel: ChannelState, comments: Comment[]): ChannelState {
  const isFull = channel.comments.length + comments.length > maxShown;
  return comments.reduce(addComment, isFull ? leaveNewer(channel) : channel);
}

/** Leaves comments after the last one on the page to be loaded on request. */
export function leaveNewer(channel: ChannelState): ChannelState {
  return { ...channel, moreAfter: lastLoadedId(channel) };
}

/**
 * Adds the page of comments after the `moreAfter` cursor.
 * @param newest number of the newest comment known when the page was requested
 */
export function addLaterPage(
  channel: ChannelState,
  { data, next, newest }: CommentPage & { newest: number },
): ChannelState {
  const comments = mergeComments(channel.comments, data);
  const last = data.at(-1);
  // The server may have read the page before the newest comments arrived.
  const hasNewer = newestNumber(channel) > Math.max(newest, last?.number ?? 0);
  return {
    ...channel,
    comments,
    commentCount: countWith(channel, last),
    moreAfter: next ?? (hasNewer ? (last?.id ?? channel.moreAfter) : null),
  };
}

/** Adds the page of comments before the `moreBefore` cursor. */
export function addEarlierPage(
  channel: ChannelState,
  { data, previous }: CommentPage,
): ChannelState {
  const comments = mergeComments(data, channel.comments);
  return { ...channel, comments, moreBefore: previous };
}

/** The number of the newest comment: numbers start at 1, have no gaps and are not reused. */
export const newestNumber = ({
  commentCount,
  removedCount,
}: Pick<ChannelState, 'commentCount' | 'removedCount'>) => commentCount + removedCount;

/**
 * The number of comments after the loaded ones, while `moreAfter` is set. If not exact, it is an upper bound, since
 * some of them may have been removed.
 */
export function countLater(channel: ChannelState): { count: number; isExact: boolean } {
  const { comments, removedCount } = channel;
  const [first, last] = loadedNumbers(channel);
  const later = newestNumber(channel) - last;
  const removedElsewhere = removedCount - (last - first + 1 - comments.length);
  // With the first number loaded, every other removed comment is after the loaded range.
  return first === 1
    ? { count: later - removedElsewhere, isExact: true }
    : { count: later, isExact: removedElsewhere === 0 };
}

/** The comment count if `comment` is the newest. */
function countWith({ commentCount, removedCount }: ChannelState, comment?: Comment): number {
  return Math.max(commentCount, comment ? comment.number - removedCount : 0);
}

/** Whether the comments of a range are loaded: the ten around a number, or the comment next to its cursor. */
export function hasRange(channel: ChannelState, { around, before, after }: CommentRange): boolean {
  if (around !== undefined) return hasNumbers(channel, around, around + 9);
  const number = numberOf(channel._id, before ?? after ?? '');
  return before === undefined ? hasNumbers(channel, number + 1) : hasNumbers(channel, number - 1);
}

/** The first and the last number of the loaded range, which may include removed comments. */
export function loadedNumbers({ _id, moreBefore, moreAfter }: ChannelState): [number, number] {
  // Derived from the cursors, since the outermost comments may be removed and restored.
  return [
    moreBefore === null ? 1 : numberOf(_id, moreBefore),
    moreAfter === null ? Number.POSITIVE_INFINITY : numberOf(_id, moreAfter),
  ];
}

/** Whether these numbers are in the loaded range, which may include removed comments. */
export function hasNumbers(channel: ChannelState, first: number, last = first): boolean {
  const [from, to] = loadedNumbers(channel);
  return from <= Math.max(1, first) && Math.max(1, last) <= to;
}

/**
 * Replaces the known comments with a loaded page. Comments that arrived after the server read the page are left to
 * be loaded on request.
 */
export function replaceLoaded(known: ChannelState, loaded: ChannelState): ChannelState {
  const newest = newestNumber(known);
  if (lacksComments(known) || newest <= newestNumber(loaded)) return loaded;
  return { ...leaveNewer(loaded), commentCount: newest - loaded.removedCount };
}

/** The refetched part of a channel. */
export interface Refreshed {
  channel: Channel;
  /** The first and the last number refetched. */
  from: number;
  to: number;
  /** Whether `to` is the end of the page, apart from comments that arrived during the request. */
  isEnd: boolean;
  /** Whether there are further comments after the fetched ones. */
  hasLater: boolean;
}

/** Replaces the comments on the page. Comments that were not refetched are dropped. */
export function refresh(
  known: ChannelState,
  { channel, from, to, isEnd, hasLater }: Refreshed,
): ChannelState {
  const former = new Map(known.comments.map((comment) => [comment.number, comment]));
  const current = channel.comments
    .filter(({ number }) => from <= number && number <= to)
    .map((comment) => {
      const one = former.get(comment.number);
      // Keeps a newer version edited in this tab, and the same object for an unchanged comment, which is then not
      // rendered again.
      const isKept =
        one && (one.revision > comment.revision || JSON.stringify(one) === JSON.stringify(comment));
      return isKept ? one : comment;
    });
  // The response has every comment up to this number. A comment added in the meantime that it lacks was removed.
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
