import type { Comment } from '../../shared/comments.ts';
import type { ChannelState, CommentWindow } from './state.ts';

/** Replaces a loaded comment by its present content, or inserts one that was restored in its place. */
export function changeComment(channel: ChannelState, comment: Comment): ChannelState {
  return changeWindows(channel, (window) => changeIn(window, comment));
}

/** Removes a comment that is shown no more. Replies to it stay, as replies to a deleted comment. */
export function removeComment(channel: ChannelState, number: number): ChannelState {
  return changeWindows(channel, ({ comments }) =>
    comments
      .filter((one) => one.number !== number)
      .map((one) => (one.replyTo === number ? { ...one, replyAutor: '', replyExcerpt: '' } : one)),
  );
}

/** Changes the comments of every window. Comments that appear or disappear in the shown one count. */
function changeWindows(
  channel: ChannelState,
  change: (window: CommentWindow) => Comment[],
): ChannelState {
  const apply = <Window extends CommentWindow>(window: Window): Window => {
    const comments = change(window);
    const isSame = (one: Comment, index: number) => one === window.comments[index];
    const isUnchanged = comments.length === window.comments.length && comments.every(isSame);
    return isUnchanged ? window : { ...window, comments };
  };
  const shown = apply(channel);
  const otherWindows = channel.otherWindows.map(apply);
  const isUnchanged = otherWindows.every((window, index) => window === channel.otherWindows[index]);
  if (shown === channel && isUnchanged) return channel;
  const added = shown.comments.length - channel.comments.length;
  return {
    ...shown,
    otherWindows,
    commentCount: channel.commentCount + added,
    // One that is not loaded may be counted already: see `countComments`.
    removedCount: Math.max(0, channel.removedCount - added),
  };
}

function changeIn(window: CommentWindow, comment: Comment): Comment[] {
  const known = window.comments.find(({ number }) => number === comment.number);
  // The response to an edit of this tab may arrive after a later edit on the live stream.
  if (known && known.revision > comment.revision) return window.comments;
  const comments = window.comments.map((one) => {
    if (one.number === comment.number) return comment;
    if (one.replyTo !== comment.number) return one;
    const replyExcerpt = comment.comment.includes(one.replyExcerpt) ? one.replyExcerpt : '';
    const isSame = one.replyAutor === comment.autor && one.replyExcerpt === replyExcerpt;
    return isSame ? one : { ...one, replyAutor: comment.autor, replyExcerpt };
  });
  if (known || !isInLoadedPart(window, comment.number)) return comments;
  const after = comments.findIndex(({ number }) => number > comment.number);
  return comments.toSpliced(after < 0 ? comments.length : after, 0, comment);
}

/** Whether a comment of this number was written, and would be loaded if it were still shown. */
export function isRemoved(channel: ChannelState, number: number): boolean {
  const newest = channel.commentCount + channel.removedCount;
  return (
    number <= newest &&
    isInLoadedPart(channel, number) &&
    !channel.comments.some((one) => one.number === number)
  );
}

/** Takes over how many comments are removed, of which the server knows those not loaded too. */
export function countComments(
  channel: ChannelState,
  {
    removedCount,
    newestNumber,
    changeNumber,
  }: { removedCount: number; newestNumber: number; changeNumber: number },
): ChannelState {
  const newest = Math.max(newestNumber, channel.commentCount + channel.removedCount);
  return { ...channel, removedCount, commentCount: newest - removedCount, changeNumber };
}

/** Whether a comment of this number would be loaded if it existed. */
function isInLoadedPart({ comments, moreAfter, moreBefore }: CommentWindow, number: number) {
  const first = comments[0]?.number ?? Number.POSITIVE_INFINITY;
  const last = comments.at(-1)?.number ?? 0;
  return (moreBefore === null || number >= first) && (moreAfter === null || number <= last);
}
