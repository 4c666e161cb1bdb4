import type { User } from '../../shared/accounts.ts';
import type { Channel, ChannelOrder } from '../../shared/channels.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import type { PageData, PersonContent, SearchContent } from '../../shared/page-data.ts';
import { pageOf } from '../router/match-page.ts';
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
  /** Changes of these comments were missed: they are fetched again before they are relied on. */
  isStale?: boolean;
  range: CommentRange;
  /** Number of the newest comment that arrived while `moreAfter` was set, so that it is not loaded. */
  unloadedNumber?: number;
}

/** The channels that the home page lists. */
export interface ChannelList {
  ids: string[];
  order: ChannelOrder;
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
  /** Of the people whose pages were loaded, by id. */
  people: ReadonlyMap<string, PersonContent>;
  /** Searches that were shown, the latest last, by path and query of their address. */
  searches: ReadonlyMap<string, SearchContent>;
  /** Of the signed-in user: reads.ts. */
  reads: Reads;
  /** Path and query of a page, of the home list or of a person, that the server does not have. */
  missingPlace: string | null;
  error: boolean;
  /** How often the page has passed from one user, or guest, to another. */
  handovers: number;
}

export const guest: UserState = { id: '', name: '', email: '', img: null, isLogged: false };

/**
 * The state of the first render, on the server and in the browser: always that of a guest.
 * @param place path and query; on the server the path only
 */
export function initialState(place: string, data: PageData): AppState {
  const empty: AppState = {
    user: guest,
    channels: new Map(),
    list: null,
    missingChannels: [],
    people: new Map(),
    searches: new Map(),
    reads: {},
    missingPlace: null,
    error: false,
    handovers: 0,
  };
  if (data.page === 'home') {
    return {
      ...empty,
      channels: channelsById(data.channels.map(listedChannel)),
      list: {
        ids: data.channels.map(({ _id }) => _id),
        order: data.order,
        next: data.next,
        isFirstPage: data.isFirstPage,
      },
    };
  }
  if (data.page === 'channel') {
    const { channel, next, previous, range } = data;
    const shown = { ...channel, moreAfter: next, moreBefore: previous, range };
    return { ...empty, channels: channelsById([shown]) };
  }
  if (data.page === 'user') {
    const { page: _page, ...content } = data;
    return { ...empty, people: new Map([[content.person.id, content]]) };
  }
  if (data.page === 'search') {
    const { page: _page, ...content } = data;
    return { ...empty, searches: new Map([[place, content]]) };
  }
  if (data.page !== 'not-found') return empty;
  const page = pageOf(place.split('?', 1)[0] ?? '');
  return page.name === 'channel'
    ? { ...empty, missingChannels: [page.id] }
    : { ...empty, missingPlace: place };
}

export function channelsById(channels: ChannelState[]): Map<string, ChannelState> {
  return new Map(channels.map((channel) => [channel._id, channel]));
}

/** A channel from the list, which has no comments. */
export function listedChannel(channel: Channel): ChannelState {
  return { ...channel, moreAfter: moreAfterOf(channel), ...fromTheStart };
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
  return { ...channel, comments: [], moreAfter, ...fromTheStart };
}

const fromTheStart = { moreBefore: null, range: {} };
