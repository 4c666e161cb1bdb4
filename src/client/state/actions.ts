import type { User } from '../../shared/accounts.ts';
import type { Channel } from '../../shared/channels.ts';
import type { Comment, CommentPage } from '../../shared/comments.ts';
import type { LiveOpened } from '../../shared/live.ts';
import type { Level } from '../../shared/notifications.ts';
import type { News, Person, ReadingPosition } from '../../shared/people.ts';
import type { Refreshed } from './loaded-comments.ts';
import type { Reads } from './reads.ts';
import type { ChannelList } from './state.ts';

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
  /** Appends the page of comments after the cursor `after`, requested when `newest` was the newest number known. */
  | ({ type: 'COMMENTS_LISTED'; channelId: string; after: string; newest: number } & CommentPage)
  /** Prepends the page of comments before the cursor `before`. */
  | ({ type: 'EARLIER_LISTED'; channelId: string; before: string } & CommentPage)
  /** New comments of a channel, sorted by their number. */
  | { type: 'COMMENTS_ADDED'; channelId: string; comments: Comment[] }
  /** The user's reading positions and unread counts in some channels, and other news. */
  | { type: 'NEWS_LISTED'; news: News }
  | { type: 'LEVEL_CHOSEN'; channelId: string; level: Level }
  /** The user has read these channels up to these numbers. */
  | { type: 'CHANNELS_READ'; positions: ReadingPosition[] }
  /** Restores the positions from before the user marked these channels as read. */
  | { type: 'READS_RESTORED'; reads: Reads }
  /** The name, description or cover of a channel changed, or it was closed, reopened, pinned or unpinned. */
  | { type: 'CHANNEL_CHANGED'; channel: Channel }
  /** The new version of a comment edited, thanked or restored by this page. */
  | { type: 'COMMENT_CHANGED'; comment: Comment }
  /** A comment was deleted or hidden by this page. */
  | { type: 'COMMENT_REMOVED'; channelId: string; number: number }
  /** The comments of a channel on the page were refetched. */
  | ({ type: 'CHANNEL_REFRESHED' } & Refreshed)
  | ({ type: 'LIVE_OPENED' } & Pick<LiveOpened, 'epoch'>)
  /** There are newer comments than the loaded ones; they are not loaded yet. */
  | { type: 'COMMENTS_MISSED'; channelId: string }
  /** The site was restored from a backup, which may lack loaded comments. */
  | { type: 'SITE_RESTORED' };

/** A channel with a page of its comments, which replaces the loaded ones. */
export interface LoadedChannel {
  type: 'CHANNEL_LOADED';
  channel: Channel;
  moreAfter: string | null;
  moreBefore: string | null;
}
