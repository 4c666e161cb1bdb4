import type { Comment } from '../../shared/comments.ts';

/** A new comment, without its content when another process wrote it. */
interface AddedComment {
  kind: 'comment';
  channelId: string;
  number: number;
  comment?: Comment;
}

/** A change of an existing comment, from `recordChanges` in comments/numbered-changes.ts. */
export interface NumberedChange {
  kind: 'numbered-change';
  channelId: string;
  /** Counts from 1, in the order of commits within the channel. */
  changeNumber: number;
  /** Number of the comment, or `channelItself`. */
  number: number;
}

/** A change that the readers of a channel receive. */
export type ChannelChange = AddedComment | NumberedChange | { kind: 'channel'; channelId: string };

/**
 * A change of what every visitor may be shown: caches drop the responses that show it. A change of a `profile`,
 * the name or avatar of a person, empties them, since it may be on any page. What only one person is shown is
 * not a public change.
 */
export type PublicChange = ChannelChange | { kind: 'profile'; accountId: string };
