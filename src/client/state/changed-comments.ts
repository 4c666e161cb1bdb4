import type { Comment } from '../../shared/comments.ts';
import { hasNumbers, newestNumber } from './loaded-comments.ts';
import type { ChannelState } from './state.ts';

/** Replaces a loaded comment with its new version, or inserts one that was restored. */
export function changeComment(channel: ChannelState, comment: Comment): ChannelState {
  return withComments(channel, changedComments(channel, comment));
}

/** Removes a deleted or hidden comment. Replies to it stay, as replies to a deleted comment. */
export function removeComment(channel: ChannelState, number: number): ChannelState {
  const comments = channel.comments
    .filter((one) => one.number !== number)
    .map((one) => (one.replyTo === number ? { ...one, replyAutor: '', replyExcerpt: '' } : one));
  return withComments(channel, comments);
}

/** Replaces the comments and adjusts the counts by the difference. */
function withComments(channel: ChannelState, comments: Comment[]): ChannelState {
  const added = comments.length - channel.comments.length;
  if (added === 0 && comments.every((one, index) => one === channel.comments[index])) {
    return channel;
  }
  return {
    ...channel,
    comments,
    commentCount: channel.commentCount + added,
    // A refresh may have counted a restored comment already.
    removedCount: Math.max(0, channel.removedCount - added),
  };
}

function changedComments(channel: ChannelState, comment: Comment): Comment[] {
  const known = channel.comments.find(({ number }) => number === comment.number);
  // The response to an edit in this tab may arrive after a later edit.
  if (known && known.revision > comment.revision) return channel.comments;
  const comments = channel.comments.map((one) => {
    if (one.number === comment.number) return comment;
    if (one.replyTo !== comment.number) return one;
    if (known?.comment === comment.comment) return one;
    // The page fetches the reply again, with the beginning of the new text, soon after the live stream tells of the edit.
    return { ...one, replyAutor: comment.autor, replyExcerpt: '' };
  });
  if (known || !hasNumbers(channel, comment.number)) return comments;
  const after = comments.findIndex(({ number }) => number > comment.number);
  return comments.toSpliced(after < 0 ? comments.length : after, 0, comment);
}

/**
 * Whether a comment with this number was written and has been removed from the loaded range.
 * @param newest the highest number assigned so far
 */
export function isRemoved(
  channel: ChannelState,
  number: number,
  newest = newestNumber(channel),
): boolean {
  return (
    number <= newest &&
    hasNumbers(channel, number) &&
    !channel.comments.some((one) => one.number === number)
  );
}
