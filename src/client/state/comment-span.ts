import type { Channel } from '../../shared/channels.ts';
import { parseCommentId } from '../../shared/comment-id.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import type { Comment, CommentPage } from '../../shared/comments.ts';
import { type ChannelState, spanOf } from './state.ts';

/** The maximum number of comments in a span, unless one in use is farther from the reader. */
const mostShown = 200;
/** A span that has become this long because of such a comment takes in no new ones. */
const mostFollowed = 400;

/** The number of the newest comment: numbers start at 1, have no gaps and are not reused. */
export const newestNumber = ({
  commentCount,
  removedCount,
}: Pick<Channel, 'commentCount' | 'removedCount'>) => commentCount + removedCount;

/** The number up to which comments are loaded; the one before the span while that is empty. */
export const lastLoaded = ({ span, comments }: ChannelState) =>
  span.last ?? comments.at(-1)?.number ?? span.first - 1;

/** Whether these numbers are in the span, which may include removed comments. */
export function hasNumbers({ span }: ChannelState, from: number, to = from): boolean {
  const { first, last } = span;
  return first <= Math.max(1, from) && (last === null || Math.max(1, to) <= last);
}

/** Whether the comments of a range are loaded: the ten around a number, or the comment next to its cursor. */
export function hasRange(channel: ChannelState, { around, before, after }: CommentRange): boolean {
  if (around !== undefined) return hasNumbers(channel, around, around + 9);
  const cursor = before ?? after;
  if (cursor === undefined) return hasNumbers(channel, 1);
  const key = parseCommentId(cursor);
  return key?.channelId === channel._id && hasNumbers(channel, key.number + (before ? -1 : 1));
}

/**
 * The number of comments after the span, while it has an end. If not exact, it is an upper bound, since some of them
 * may have been removed.
 */
export function countLater(channel: ChannelState): { count: number; isExact: boolean } {
  const { span, comments, removedCount } = channel;
  const last = lastLoaded(channel);
  const later = newestNumber(channel) - last;
  const removedElsewhere = Math.max(0, removedCount - (last - span.first + 1 - comments.length));
  // In a span from the first number on, every other removed comment is after it.
  return span.first === 1
    ? { count: later - removedElsewhere, isExact: true }
    : { count: later, isExact: removedElsewhere === 0 };
}

/** Joins comments, sorted by their numbers. For one in both lists, `newer` wins. */
function join(older: Comment[], newer: Comment[]): Comment[] {
  const byNumber = new Map([...older, ...newer].map((comment) => [comment.number, comment]));
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

/** The channel's count when these comments are its newest. */
const countWith = ({ commentCount, removedCount }: ChannelState, comments: Comment[]) =>
  Math.max(commentCount, ...comments.map(({ number }) => number - removedCount));

/**
 * Counts comments that were just written, by others or by the user, and adds unknown ones to a span that reaches to the
 * newest.
 */
export function addComments(known: ChannelState, added: Comment[]): ChannelState {
  const channel = known.comments.length < mostFollowed ? known : leaveNewer(known);
  const commentCount = countWith(channel, added);
  const unknown = added.filter(
    ({ number }) =>
      channel.span.last === null &&
      hasNumbers(channel, number) &&
      channel.comments.every((one) => one.number !== number),
  );
  if (unknown.length === 0 && commentCount === channel.commentCount) return channel;
  const comments = unknown.length > 0 ? join(channel.comments, unknown) : channel.comments;
  return { ...channel, comments, commentCount };
}

/** The channel after this page has changed something, so that its span is fetched again. */
export const changed = (channel: ChannelState): ChannelState => ({
  ...channel,
  changes: channel.changes + 1,
});

/** Leaves comments after the last one on the page to be loaded on request. */
export const leaveNewer = (channel: ChannelState): ChannelState => ({
  ...channel,
  span: { ...channel.span, last: lastLoaded(channel) },
});

/**
 * Adds the page of comments after the span.
 * @param newest number of the newest comment known when the page was requested
 */
export function addLaterPage(
  channel: ChannelState,
  { newest, ...page }: CommentPage & { newest: number },
): ChannelState {
  const { data } = page;
  const end = spanOf(page).last;
  const last = data.at(-1)?.number ?? lastLoaded(channel);
  // The server may have read the page before the newest comments arrived.
  const hasNewer = newestNumber(channel) > Math.max(newest, last);
  return {
    ...channel,
    comments: join(channel.comments, data),
    commentCount: countWith(channel, data),
    span: {
      first: channel.span.first,
      last: end === null && hasNewer ? last : end,
    },
  };
}

/** Adds the page of comments before the span. */
export const addEarlierPage = (channel: ChannelState, page: CommentPage): ChannelState => ({
  ...channel,
  comments: join(page.data, channel.comments),
  span: { ...channel.span, first: spanOf(page).first },
});

/**
 * Drops the comments farthest from the reader while the span has too many.
 * @param inUse numbers of the comment that is read, and of others that have to stay
 */
export function narrow(channel: ChannelState, [reading = 1, ...others]: number[]): ChannelState {
  const { comments, span } = channel;
  const excess = comments.length - mostShown;
  if (excess <= 0) return channel;
  const indexOf = (number: number) => comments.findIndex((one) => one.number >= number);
  const nearest = Math.min(excess, Math.max(0, indexOf(reading) - mostShown / 2));
  const kept = others.map(indexOf).filter((index) => index >= 0);
  const start = Math.min(nearest, ...kept);
  const end = Math.max(nearest + mostShown, ...kept.map((index) => index + 1));
  const shown = comments.slice(start, end);
  return {
    ...channel,
    comments: shown,
    span: {
      first: start === 0 ? span.first : (shown[0]?.number ?? 1),
      last: end === comments.length ? span.last : (shown.at(-1)?.number ?? 0),
    },
  };
}

/** Replaces a loaded comment with its new version, or inserts one that was restored. */
export function changeComment(channel: ChannelState, comment: Comment): ChannelState {
  const known = channel.comments.find(({ number }) => number === comment.number);
  // The response to an edit in this tab may arrive after a later edit.
  const isOlder = known && known.revision > comment.revision;
  if (isOlder || !hasNumbers(channel, comment.number)) return channel;
  const comments = join(channel.comments, [comment]);
  return known ? { ...channel, comments } : changed({ ...channel, comments });
}

/** Removes a deleted or hidden comment. */
export function removeComment(channel: ChannelState, number: number): ChannelState {
  const comments = channel.comments.filter((one) => one.number !== number);
  return comments.length === channel.comments.length ? channel : changed({ ...channel, comments });
}

/**
 * Replaces the known comments with a loaded page. Comments that arrived after the server read the page are left to
 * be loaded on request.
 */
export function replaceLoaded(known: ChannelState, loaded: ChannelState): ChannelState {
  const newest = newestNumber(known);
  const isNewer = known.span.last !== 0 && newest > newestNumber(loaded);
  const { changes } = known;
  return isNewer
    ? { ...leaveNewer(loaded), changes, commentCount: newest - loaded.removedCount }
    : { ...loaded, changes };
}

/** The server's answer about a span. */
export interface Refetched {
  /** With every visible comment from `from` to `end`. */
  channel: Channel;
  from: number;
  /** The last number that was loaded when the span was requested. */
  to: number;
  end: number;
  /** Whether no visible comment follows. */
  isEnd: boolean;
}

/** Replaces the comments of the span. Those that were loaded in the meantime stay unless they have been removed. */
export function refetch(
  known: ChannelState,
  { channel, from, to, end, isEnd }: Refetched,
): ChannelState {
  const former = new Map(known.comments.map((comment) => [comment.number, comment]));
  const answered = new Set(channel.comments.map(({ number }) => number));
  const current = channel.comments
    .filter(({ number }) => number <= to && hasNumbers(known, number))
    .map((comment) => {
      const one = former.get(comment.number);
      // Keeps a newer version edited in this tab, and the same object for an unchanged comment, which is then not
      // rendered again.
      const isKept =
        one && (one.revision > comment.revision || JSON.stringify(one) === JSON.stringify(comment));
      return isKept ? one : comment;
    });
  const others = known.comments.filter(
    ({ number }) => number < from || number > end || (number > to && answered.has(number)),
  );
  const newest = Math.max(newestNumber(channel), newestNumber(known));
  const hasReached = isEnd && known.span.last === to && newest === newestNumber(channel);
  return {
    ...known,
    // The answer about a channel without these has no list of them.
    ...{ upcoming: [], polls: [], documents: [] },
    ...channel,
    comments: join(others, current),
    commentCount: newest - channel.removedCount,
    span: hasReached ? { ...known.span, last: null } : known.span,
  };
}
