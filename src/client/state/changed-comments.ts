import type { Comment } from '../../shared/comments.ts';
import type { ChannelState } from './state.ts';

/** Replaces a loaded comment by its present content, or inserts one that was restored in its place. */
export function changeComment(channel: ChannelState, comment: Comment): ChannelState {
  const known = channel.comments.find(({ number }) => number === comment.number);
  // The response to an edit of this tab may arrive after a later edit on the live stream.
  if (known && known.revision > comment.revision) return channel;
  if (!known && !isInLoadedPart(channel, comment.number)) return channel;
  const change = (one: Comment): Comment => {
    if (one.number === comment.number) return comment;
    if (one.replyTo !== comment.number) return one;
    const replyExcerpt = comment.comment.includes(one.replyExcerpt) ? one.replyExcerpt : '';
    return { ...one, replyAutor: comment.autor, replyExcerpt };
  };
  const comments = channel.comments.map(change);
  if (known) return { ...channel, comments };
  const after = comments.findIndex(({ number }) => number > comment.number);
  const { commentCount, removedCount } = channel;
  return {
    ...channel,
    comments: comments.toSpliced(after < 0 ? comments.length : after, 0, comment),
    // It was counted among the removed ones, unless it is newer than all that are known.
    commentCount: commentCount + 1,
    removedCount: Math.max(0, removedCount - 1),
  };
}

/** Removes a comment that is shown no more. Replies to it stay, as replies to a deleted comment. */
export function removeComment(channel: ChannelState, number: number): ChannelState {
  const { comments, commentCount, removedCount } = channel;
  const isAffected = (one: Comment) => one.number === number || one.replyTo === number;
  if (!comments.some(isAffected)) return channel;
  const left = comments
    .filter((one) => one.number !== number)
    .map((one) => (one.replyTo === number ? { ...one, replyAutor: '', replyExcerpt: '' } : one));
  // One that is not loaded may be counted as removed already: see `countComments`.
  const removed = comments.length - left.length;
  return {
    ...channel,
    comments: left,
    commentCount: commentCount - removed,
    removedCount: removedCount + removed,
  };
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
function isInLoadedPart({ comments, moreAfter, moreBefore }: ChannelState, number: number) {
  const first = comments[0]?.number ?? Number.POSITIVE_INFINITY;
  const last = comments.at(-1)?.number ?? 0;
  return (moreBefore === null || number >= first) && (moreAfter === null || number <= last);
}
