import type { Comment } from '../../../shared/comments.ts';

/** A new comment, without its content when another process wrote it. */
interface AddedComment {
  kind: 'comment';
  channelId: string;
  number: number;
  comment?: Comment;
}

/** A change of a channel or, with their numbers, of some of its comments: edited, deleted, hidden or shown again. */
interface ChangedChannel {
  kind: 'channel';
  channelId: string;
  numbers?: number[];
}

/** A change that the readers of a channel receive. */
export type ChannelChange = AddedComment | ChangedChannel;

/**
 * A change of what every visitor may be shown: caches drop the responses that show it. Open pages are not told of
 * `thanks`. A change of a `profile`, the name or avatar of a person, empties the caches, since it may be on any page.
 * A change that only one person sees is not a public change.
 */
export type PublicChange =
  | ChannelChange
  | { kind: 'thanks'; channelId: string }
  | { kind: 'profile'; accountId: string };
