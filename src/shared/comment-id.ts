/**
 * Comments of a channel are numbered from 1 in the order of commits. As a part of the comment's id,
 * the number also serves as cursor of the list and event id of the live stream. Number 0 is the
 * position before the first comment.
 */
export function commentId(channelId: string, number: number): string {
  return `${channelId}-${number}`;
}

/** The largest number that a comment or a change can have, which is the largest integer of a column. */
export const maxNumber = 0x7fffffff;

/** The number in a comment id of this channel; undefined for anything else. */
export function commentNumber(channelId: string, id: string): number | undefined {
  if (!id.startsWith(`${channelId}-`)) return undefined;
  const digits = id.slice(channelId.length + 1);
  const number = /^(0|[1-9][0-9]{0,9})$/.test(digits) ? Number(digits) : maxNumber + 1;
  return number > maxNumber ? undefined : number;
}

/** The channel and the number in a comment id. */
export function splitCommentId(id: string): { channelId: string; number: number } {
  const dash = id.lastIndexOf('-');
  return { channelId: id.slice(0, dash), number: Number(id.slice(dash + 1)) };
}
