import type { User } from '../../shared/accounts.ts';
import type { HomeAnnouncement } from '../../shared/announcements.ts';
import type { Channel, ChannelOrder } from '../../shared/channels.ts';
import { parseCommentId } from '../../shared/comment-id.ts';
import type { CommentPage } from '../../shared/comments.ts';
import type { CalendarDate } from '../../shared/events.ts';
import type { Role } from '../../shared/moderation.ts';
import type { PageData } from '../../shared/page-data.ts';
import type { News, Person } from '../../shared/people.ts';
import type { Reads, UnsentReads } from './reads.ts';

export interface UserState extends User {
  isLogged: boolean;
}

/** The numbers of a channel between which its page has every visible comment. */
export interface CommentSpan {
  /** 1 when the page has nothing before it. */
  first: number;
  /** Null while the span reaches to the newest comment, so that new ones are added; 0 while nothing is loaded. */
  last: number | null;
}

/** A channel with the comments on its page: consecutive ones, sorted by number. */
export interface ChannelState extends Channel {
  span: CommentSpan;
  /** How often this page has changed something that the server has to count or name: the page then asks again. */
  changes: number;
}

/** The channels on the home page. */
export interface ChannelList {
  ids: string[];
  /** Ids of the pinned channels, which the home page shows first. */
  pinned: string[];
  order: ChannelOrder;
  next: string | null;
  isFirstPage: boolean;
  /** The next dates; none except on the first page. */
  upcoming: CalendarDate[];
  /** The announcements of these days; none except on the first page. */
  announcements: HomeAnnouncement[];
}

export interface AppState {
  /** The data from which the server rendered the first page. */
  pageData: PageData;
  user: UserState;
  /** Whether anyone has signed in in this document. */
  wasSignedIn: boolean;
  /** Every channel fetched so far, by id. */
  channels: ReadonlyMap<string, ChannelState>;
  /** Null until the list is first fetched. */
  list: ChannelList | null;
  /** The signed-in user's reading positions: see reads.ts. */
  reads: Reads;
  unsentReads: UnsentReads;
  /** The user's role in the latest news. */
  role: Role;
  /** The number of cases and posts that await a moderator. */
  pendingModeration: number;
  /** The number of replies, mentions, thanks and decisions that are new to the user. */
  unreadNotifications: number;
  /** Ids of listed channels that are new and that the user never opened. */
  newChannels: News['newChannels'];
  /** Ids of the announcements of these days that the user has acknowledged; null until the server has said so. */
  acknowledged: News['acknowledged'] | null;
  /** The level of channels for which the user never chose one. */
  follow: News['follow'];
  /** Whether the user's next post waits for review because it is the first. */
  reviewsNext: News['reviewsNext'];
  /** Whether posts of the user await a moderator or were rejected. */
  hasPending: News['hasPending'];
  /** Whether decisions in force hide comments or channels of the user. */
  hasHidden: News['hasHidden'];
  /** The decision that keeps the user from writing; null without one. */
  restriction: News['restriction'];
  /** The person whose page was shown last; null until then. */
  person: Person | null;
  /** Path and query of the current page if the server does not have it. */
  missingAddress: string | null;
  /** Path and query of the page that a guest may not read, for which the server sent what guests see instead. */
  membersOnlyAddress: string | null;
  error: boolean;
  /** The site's epoch, which changes when a backup is restored; null until a live stream opens. */
  epoch: string | null;
  /** How often a live stream has opened: each time, the server was reachable. */
  liveStreams: number;
}

/** The news before the signed-in user's are known. */
export const noNews: News = {
  acknowledged: [],
  reads: {},
  role: 'member',
  pendingModeration: 0,
  unreadNotifications: 0,
  restriction: null,
  newChannels: [],
  follow: 'mine',
  reviewsNext: false,
  hasPending: false,
  hasHidden: false,
};

export const guest: UserState = { id: '', name: '', email: '', img: null, isLogged: false };

/**
 * The state of the first render, on the server and in the browser: always a guest's.
 * @param address path and query; on the server the path only
 */
export function initialState(address: string, data: PageData): AppState {
  const empty: AppState = {
    pageData: data,
    user: guest,
    wasSignedIn: false,
    channels: new Map(),
    list: null,
    unsentReads: {},
    ...noNews,
    acknowledged: null,
    person: data.page === 'user' ? data.person : null,
    missingAddress: null,
    membersOnlyAddress: data.page === 'members-only' ? address : null,
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
        upcoming: data.upcoming,
        announcements: data.announcements,
      },
    };
  }
  if (data.page === 'channel') {
    const shown = { ...data.channel, span: spanOf(data), changes: 0 };
    return { ...empty, channels: channelsById([shown]) };
  }
  return data.page === 'not-found' ? { ...empty, missingAddress: address } : empty;
}

export function channelsById(channels: ChannelState[]): Map<string, ChannelState> {
  return new Map(channels.map((channel) => [channel._id, channel]));
}

/** A channel from the list, which has no comments. */
export function listedChannel(channel: Channel): ChannelState {
  return { ...channel, span: firstSpan(channel), changes: 0 };
}

const numberIn = (cursor: string) => parseCommentId(cursor)?.number ?? 0;

/** The span of a page of comments, by its cursors. */
export const spanOf = ({ previous, next }: Pick<CommentPage, 'previous' | 'next'>) => ({
  first: previous === null ? 1 : numberIn(previous),
  last: next === null ? null : numberIn(next),
});

/** The span of a channel that was fetched with its first comments. */
export const firstSpan = ({ comments, commentCount }: Channel): CommentSpan => ({
  first: 1,
  last: comments.length >= commentCount ? null : (comments.at(-1)?.number ?? 0),
});

/** Whether the page has the comment with this number, if that is visible. */
export const isInSpan = ({ first, last }: CommentSpan, number: number) =>
  number >= first && number <= (last ?? number);

/** Whether the channel has comments but none is loaded. */
export const lacksComments = ({ span }: ChannelState) => span.last === 0;

/** The channel with none of its comments loaded. */
export const withoutComments = (channel: ChannelState): ChannelState => ({
  ...channel,
  comments: [],
  span: { first: 1, last: 0 },
});
