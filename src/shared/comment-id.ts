/** Identifies a comment in the code. The public form is `commentId`. */
export interface CommentKey {
  channelId: string;
  number: number;
}

/**
 * Comments of a channel are numbered from 1 in the order of commits. As a part of the comment's id,
 * the number also serves as cursor of the list and event id of the live stream. Number 0 is the
 * position before the first comment.
 */
export function commentId(channelId: string, number: number): string {
  return `${channelId}-${number}`;
}

/** The largest number of a comment or a change, which is the maximum of an integer column. */
export const maxNumber = 0x7fffffff;

/**
 * Parses the number of a comment, digits without a leading zero; undefined for anything else. @param least 0 to allow
 * that position as well
 */
export function parseCommentNumber(
  text: string | null | undefined,
  least: 0 | 1 = 1,
): number | undefined {
  const number = /^(?:0|[1-9]\d{0,9})$/.test(text ?? '') ? Number(text) : -1;
  return number >= least && number <= maxNumber ? number : undefined;
}

/**
 * Parses the number of a comment in the address of a page, by the digits it begins with: what passes a link on may send
 * its `#` as `%23`, or include the punctuation after it.
 */
export function parseLinkedNumber(text: string | null | undefined): number | undefined {
  return parseCommentNumber(/^\d*/.exec(text ?? '')?.[0]);
}

/** Parses a comment id, including one with number 0; undefined for anything else. */
export function parseCommentId(id: string): CommentKey | undefined {
  const dash = id.lastIndexOf('-');
  const number = parseCommentNumber(id.slice(dash + 1), 0);
  return dash < 1 || number === undefined ? undefined : { channelId: id.slice(0, dash), number };
}
