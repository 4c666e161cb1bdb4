import type { User } from '../../shared/accounts.ts';
import type { Channel } from '../../shared/channels.ts';
import type { Comment } from '../../shared/comments.ts';

/** Everything that changes the state. The first nine names are the specification's. */
export type Action =
  | { type: 'SET_ERROR' }
  | { type: 'DELETE_ERROR' }
  | { type: 'LOGIN_REQUEST'; user: User }
  | { type: 'LOGOUT_REQUEST' }
  | { type: 'REGISTER_REQUEST'; user: User }
  | { type: 'CHANNELS_LISTED'; channels: Channel[]; next: string | null; isFirstPage: boolean }
  | { type: 'ADD_COMMENT'; comment: Comment }
  | { type: 'UPDATE_USER_IMG'; img: string | null }
  | { type: 'ADD_CHANNELT'; channel: Channel }
  /** The page of the list that follows `after`. */
  | { type: 'CHANNELS_ADDED'; after: string; channels: Channel[]; next: string | null }
  | LoadedChannel
  | { type: 'CHANNEL_MISSING'; channelId: string }
  /** The page of a channel's comments that follows `after`. */
  | {
      type: 'COMMENTS_LISTED';
      channelId: string;
      after: string;
      comments: Comment[];
      next: string | null;
    }
  /** The live stream could not replay all missed comments. */
  | { type: 'COMMENTS_MISSED'; channelId: string }
  /** The site was restored from a backup, which may lack comments that are loaded. */
  | { type: 'SITE_RESTORED' };

/** A channel with the first page of its comments, or with a later one. */
export interface LoadedChannel {
  type: 'CHANNEL_LOADED';
  channel: Channel;
  moreAfter: string | null;
  isFirstPage: boolean;
}
