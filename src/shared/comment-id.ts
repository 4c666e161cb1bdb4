/**
 * Comments of a channel are numbered from 1 in the order in which they were committed, and a
 * comment's id carries that number: it orders comments, is the cursor of their list and the event
 * id of the live stream, with no look-up. Number 0 stands before the first comment.
 */
export function commentId(channelId: string, number: number): string {
  return `${channelId}-${number}`;
}

/** The number in a comment id of this channel; undefined for anything else. */
export function commentNumber(channelId: string, id: string): number | undefined {
  if (!id.startsWith(`${channelId}-`)) return undefined;
  const digits = id.slice(channelId.length + 1);
  return /^(0|[1-9][0-9]{0,14})$/.test(digits) ? Number(digits) : undefined;
}
