import type { Comment } from '../../../shared/comments.ts';

/** A new comment, without its content when another process wrote it. */
interface AddedComment {
  kind: 'comment';
  channelId: string;
  number: number;
  comment?: Comment;
}

/** A change of a channel or, with `numbers`, of some of its comments: edited, deleted, hidden or shown again. */
interface ChangedChannel {
  kind: 'channel';
  channelId: string;
  numbers?: number[];
}

/** A change that the readers of a channel receive. */
export type ChannelChange = AddedComment | ChangedChannel;

/**
 * An account may have lost the right to read a community of members; without an id, the settings say anew who may
 * read. Live streams of these readers end, and ask again.
 */
interface ChangedAccess {
  kind: 'access';
  accountId: string;
}

/**
 * A change of data that any visitor may see, so it empties the caches, but for `access`. Open pages are not notified of
 * `counts`, of thanks or answers, nor of `day`, a new one in the community's zone.
 * `profile` is a change that may affect any page: of a person's name, avatar, role or visibility, or of the site's
 * settings. A change that only one person sees is not a public change.
 */
export type PublicChange =
  | ChannelChange
  | ChangedAccess
  | { kind: 'counts'; channelId: string }
  | { kind: 'day' }
  | { kind: 'profile'; accountId: string };
