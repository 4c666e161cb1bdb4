import type { User } from '../../shared/accounts.ts';
import type { Channel } from '../../shared/channels.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { PageData } from '../../shared/page-data.ts';
import { pageOf } from '../router/match-page.ts';

export interface UserState extends User {
  isLogged: boolean;
}

/** A channel with the comments that are loaded, sorted by their number. */
export interface ChannelState extends Channel {
  /**
   * Id of the comment after which some are not loaded yet; null when none is missing. Loaded
   * comments after it are live ones, from after the gap.
   */
  moreAfter: string | null;
  /** Whether the loaded comments begin with the channel's first. */
  isFirstPage: boolean;
}

/** The channels that the home page lists, in the server's order. */
export interface ChannelList {
  ids: string[];
  next: string | null;
  isFirstPage: boolean;
}

export interface AppState {
  user: UserState;
  /** Every channel fetched so far, by id. */
  channels: ReadonlyMap<string, ChannelState>;
  /** Null until the list is first fetched. */
  list: ChannelList | null;
  /** Ids of channels that the server does not have. */
  missingChannels: string[];
  error: boolean;
}

export const guest: UserState = { id: '', name: '', email: '', img: null, isLogged: false };

/** The state of the first render, on the server and in the browser: always that of a guest. */
export function initialState(path: string, data: PageData): AppState {
  const empty: AppState = {
    user: guest,
    channels: new Map(),
    list: null,
    missingChannels: [],
    error: false,
  };
  if (data.page === 'home') {
    return {
      ...empty,
      channels: channelsById(data.channels.map(listedChannel)),
      list: {
        ids: data.channels.map(({ _id }) => _id),
        next: data.next,
        isFirstPage: data.isFirstPage,
      },
    };
  }
  if (data.page === 'channel') {
    const { channel, next, isFirstPage } = data;
    return { ...empty, channels: channelsById([{ ...channel, moreAfter: next, isFirstPage }]) };
  }
  const page = pageOf(path);
  if (data.page === 'not-found' && page.name === 'channel') {
    return { ...empty, missingChannels: [page.id] };
  }
  return empty;
}

export function channelsById(channels: ChannelState[]): Map<string, ChannelState> {
  return new Map(channels.map((channel) => [channel._id, channel]));
}

/** A channel from the list, which has no comments. */
export function listedChannel(channel: Channel): ChannelState {
  return { ...channel, moreAfter: moreAfterOf(channel), isFirstPage: true };
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
  return { ...channel, comments: [], moreAfter, isFirstPage: true };
}
