import type { User } from '../../shared/accounts.ts';
import type { Channel } from '../../shared/channels.ts';
import type { Comment, CommentPage } from '../../shared/comments.ts';
import type { LiveOpened } from '../../shared/live.ts';
import type { Level } from '../../shared/notifications.ts';
import type { News, Person, ReadingPosition } from '../../shared/people.ts';
import type { Refetched } from './comment-span.ts';
import type { ChannelList, CommentSpan } from './state.ts';

/** Everything that changes the state. Some names, such as ADD_CHANNELT, are the specification's. */
export type Action =
  | { type: 'SET_ERROR' }
  | { type: 'DELETE_ERROR' }
  | { type: 'LOGIN_REQUEST'; user: User }
  /** `email` prefills the login form when the owner of that account has to sign in again. */
  | { type: 'LOGOUT_REQUEST'; email?: string }
  | { type: 'REGISTER_REQUEST'; user: User }
  | ({ type: 'CHANNELS_LISTED'; channels: Channel[]; pinned: Channel[] } & Omit<
      ChannelList,
      'ids' | 'pinned'
    >)
  | { type: 'ADD_COMMENT'; comment: Comment }
  | { type: 'UPDATE_USER_IMG'; img: string | null }
  /** The signed-in user has another name or e-mail address. */
  | { type: 'USER_CHANGED'; user: User }
  | { type: 'ADD_CHANNELT'; channel: Channel }
  | LoadedChannel
  /** The person whose page is shown. */
  | { type: 'PERSON_SHOWN'; person: Person }
  | { type: 'CHANNEL_MISSING'; channelId: string }
  /** The server does not have the page at this path and query; null clears this. */
  | { type: 'ADDRESS_MISSING'; address: string | null }
  /** Appends the page of comments after a number, requested when `newest` was the newest number known. */
  | ({ type: 'LATER_LISTED'; channelId: string; after: number; newest: number } & CommentPage)
  /** Prepends the page of comments before a number. */
  | ({ type: 'EARLIER_LISTED'; channelId: string; before: number } & CommentPage)
  /** Drops comments of a long list, farthest from the reader: `numbersInUse` are the ones to keep. */
  | { type: 'SPAN_NARROWED'; channelId: string; inUse: number[] }
  /** New comments of a channel, sorted by their number. */
  | { type: 'COMMENTS_ADDED'; channelId: string; comments: Comment[] }
  /** The user's reading positions and unread counts in some channels, and other news. */
  | { type: 'NEWS_LISTED'; news: News }
  /** The user has acknowledged an announcement, whose comment has this id. */
  | { type: 'ACKNOWLEDGED'; id: string }
  | { type: 'LEVEL_CHOSEN'; channelId: string; level: Level }
  /** The user has read these channels up to these numbers. */
  | { type: 'CHANNELS_READ'; positions: ReadingPosition[] }
  /** The server has confirmed, or refused for good, these positions. */
  | { type: 'READS_SENT'; positions: ReadingPosition[] }
  /** The name, description or cover of a channel changed, or it was closed, reopened, pinned or unpinned. */
  | { type: 'CHANNEL_CHANGED'; channel: Channel }
  /** The new version of a comment edited, thanked or restored by this page. */
  | { type: 'COMMENT_CHANGED'; comment: Comment }
  /** A comment was deleted or hidden by this page. */
  | { type: 'COMMENT_REMOVED'; channelId: string; number: number }
  /** The comments of a channel on the page were refetched. */
  | ({ type: 'CHANNEL_REFETCHED' } & Refetched)
  | ({ type: 'LIVE_OPENED' } & Pick<LiveOpened, 'epoch'>)
  /** There are newer comments than the loaded ones; they are not loaded yet. */
  | { type: 'COMMENTS_MISSED'; channelId: string }
  /** The site was restored from a backup, which may lack loaded comments. */
  | { type: 'SITE_RESTORED' };

/** A channel with a page of its comments, which replaces the loaded ones. */
export interface LoadedChannel {
  type: 'CHANNEL_LOADED';
  channel: Channel;
  span: CommentSpan;
}
