import type { User } from '../../shared/accounts.ts';
import type { Channel } from '../../shared/channels.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { PageData } from '../../shared/page-data.ts';
import { pageOf } from '../router/match-page.ts';

export interface UserState extends User {
  isLogged: boolean;
}

/** A channel as far as this browser knows it. Its comments are sorted by their number. */
export interface ChannelState extends Channel {
  /**
   * Id of the last comment of the unbroken part that is loaded, when more follow; null when
   * nothing is missing. Comments after it have come live, from beyond the gap.
   */
  moreAfter: string | null;
  /** Whether the loaded comments begin with the channel's first. */
  isFirstPage: boolean;
}

/** Which of the channels the home screen lists, in the server's order. */
export interface ChannelList {
  ids: string[];
  next: string | null;
  isFirstPage: boolean;
}

export interface AppState {
  user: UserState;
  /** Every channel this browser knows, by id. */
  channels: ReadonlyMap<string, ChannelState>;
  /** Null until the list has been fetched once. */
  list: ChannelList | null;
  /** Ids that turned out to be no channel. */
  missingChannels: string[];
  error: boolean;
}

export const guest: UserState = { id: '', name: '', email: '', img: null, isLogged: false };

/** What a page starts from: always a guest's, on the server and in the first client render. */
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

/** A channel from the list, which comes without its comments. */
export function listedChannel(channel: Channel): ChannelState {
  return { ...channel, moreAfter: restOf(channel), isFirstPage: true };
}

/** Where the first comment that did not come with the channel follows; null when all did. */
export function restOf({ _id, comments, commentCount }: Channel): string | null {
  if (comments.length >= commentCount) return null;
  return comments.at(-1)?.id ?? commentId(_id, 0);
}

/** Whether nothing of the comments has been loaded yet, though there are some. */
export function lacksComments({ _id, moreAfter }: ChannelState): boolean {
  return moreAfter === commentId(_id, 0);
}

/** As if none of its comments had been loaded. */
export function withoutComments(channel: ChannelState): ChannelState {
  const moreAfter = commentId(channel._id, 0);
  return { ...channel, comments: [], moreAfter, isFirstPage: true };
}
