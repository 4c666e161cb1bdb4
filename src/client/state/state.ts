import type { User } from '../../shared/accounts.ts';
import type { Channel, ChannelOrder } from '../../shared/channels.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { Role } from '../../shared/moderation.ts';
import type { PageData } from '../../shared/page-data.ts';
import type { News } from '../../shared/people.ts';
import type { Reads } from './reads.ts';

export interface UserState extends User {
  isLogged: boolean;
}

/** A channel with the comments that its page shows: successive ones, sorted by their number. */
export interface ChannelState extends Channel {
  /** The cursor after which the following comments are loaded; null when the newest is loaded. */
  moreAfter: string | null;
  /** The cursor before which the preceding comments are loaded; null when the first is loaded. */
  moreBefore: string | null;
}

/** The channels that the home page lists. */
export interface ChannelList {
  ids: string[];
  /** Ids of the pinned channels, which home shows first. */
  pinned: string[];
  order: ChannelOrder;
  next: string | null;
  isFirstPage: boolean;
}

export interface AppState {
  /** The data from which the server rendered the first page. */
  pageData: PageData;
  user: UserState;
  /** Whether anyone was signed in on this page. */
  wasSignedIn: boolean;
  /** Every channel fetched so far, by id. */
  channels: ReadonlyMap<string, ChannelState>;
  /** Null until the list is first fetched. */
  list: ChannelList | null;
  /** The reading positions of the signed-in user: see reads.ts. */
  reads: Reads;
  /** The user's, as last heard. */
  role: Role;
  /** How many cases and posts wait for a moderator. */
  pendingModeration: number;
  /** How many answers, mentions and thanks are new to the user. */
  unreadNotifications: number;
  /** The decision that keeps the user from writing; null while none does. */
  restriction: News['restriction'];
  /** Path and query of the page that is shown, if the server does not have it. */
  missingAddress: string | null;
  error: boolean;
  /** The site's, which changes when a backup is restored; null until a live stream opens. */
  epoch: string | null;
  /** How often a live stream has opened: each time, the server could be reached. */
  liveStreams: number;
}

/** Before the signed-in user's is known. */
export const noNews: News = {
  reads: {},
  role: 'member',
  pendingModeration: 0,
  unreadNotifications: 0,
  restriction: null,
};

export const guest: UserState = { id: '', name: '', email: '', img: null, isLogged: false };

/**
 * The state of the first render, on the server and in the browser: always that of a guest.
 * @param address path and query; on the server the path only
 */
export function initialState(address: string, data: PageData): AppState {
  const empty: AppState = {
    pageData: data,
    user: guest,
    wasSignedIn: false,
    channels: new Map(),
    list: null,
    ...noNews,
    missingAddress: null,
    error: false,
    epoch: null,
    liveStreams: 0,
  };
  if (data.page === 'home') {
    return {
      ...empty,
      channels: channelsById([...data.pinned, ...data.channels].map(listedChannel)),
      list: {
        ids: data.channels.map(({ _id }) => _id),
        pinned: data.pinned.map(({ _id }) => _id),
        order: data.order,
        next: data.next,
        isFirstPage: data.after === null,
      },
    };
  }
  if (data.page === 'channel') {
    const { channel, next, previous } = data;
    const shown = { ...channel, moreAfter: next, moreBefore: previous };
    return { ...empty, channels: channelsById([shown]) };
  }
  return data.page === 'not-found' ? { ...empty, missingAddress: address } : empty;
}

export function channelsById(channels: ChannelState[]): Map<string, ChannelState> {
  return new Map(channels.map((channel) => [channel._id, channel]));
}

/** A channel from the list, which has no comments. */
export function listedChannel(channel: Channel): ChannelState {
  return { ...channel, moreAfter: moreAfterOf(channel), moreBefore: null };
}

/** `moreAfter` of a channel fetched with its first comments. */
export function moreAfterOf({ _id, comments, commentCount }: Channel): string | null {
  if (comments.length >= commentCount) return null;
  return comments.at(-1)?.id ?? commentId(_id, 0);
}

/** Whether the channel has comments and none is loaded. */
export function lacksComments({ _id, moreAfter }: ChannelState): boolean {
  return moreAfter === commentId(_id, 0);
}

/** The channel with none of its comments loaded. */
export function withoutComments(channel: ChannelState): ChannelState {
  const moreAfter = commentId(channel._id, 0);
  return { ...channel, comments: [], moreAfter, moreBefore: null };
}
