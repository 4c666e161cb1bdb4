import type { Channel } from '../../shared/channels.ts';
import { commentNumber } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { isAfter, lastUnbroken, mergeComments, unbrokenUntil } from '../comments/comment-order.ts';
import type { Action, ListedChannels, LoadedChannel } from './actions.ts';
import {
  type AppState,
  type ChannelList,
  type ChannelState,
  channelsById,
  guest,
  lacksComments,
  listedChannel,
  withoutComments,
} from './state.ts';

export function reduce(state: AppState, action: Action): AppState {
  switch (action.type) {
    case 'SET_ERROR':
      return { ...state, error: true };
    case 'DELETE_ERROR':
      return state.error ? { ...state, error: false } : state;
    case 'LOGIN_REQUEST':
      return { ...state, user: { ...action.user, isLogged: true } };
    case 'LOGOUT_REQUEST':
      return { ...state, user: guest };
    case 'REGISTER_REQUEST':
      // Known, but not signed in: the sign-in form that follows starts with this e-mail.
      return { ...state, user: { ...action.user, isLogged: false } };
    case 'CHANNELS_LISTED':
      return listChannels(state, action);
    case 'CHANNELS_ADDED':
      // Late: another page of the list is shown by now.
      if (state.list?.next !== action.after) return state;
      return addChannels(state, state.list, action.channels, action.next);
    case 'CHANNEL_LOADED':
      return upsertChannel(state, action);
    case 'CHANNEL_MISSING':
      return dropChannel(state, action.channelId);
    case 'ADD_COMMENT':
      return changeChannel(state, action.comment.channelId, (channel) =>
        addComment(channel, action.comment),
      );
    case 'COMMENTS_LISTED':
      return changeChannel(state, action.channelId, (channel) =>
        // Late: another page of the channel is shown by now.
        channel.moreAfter === action.after
          ? addCommentPage(channel, action.comments, action.next)
          : channel,
      );
    case 'COMMENTS_MISSED':
      return changeChannel(state, action.channelId, (channel) => ({
        ...channel,
        moreAfter: lastUnbroken(channel),
      }));
    case 'SITE_RESTORED':
      return { ...state, channels: mapChannels(state, withoutComments) };
    case 'UPDATE_USER_IMG':
      return changeImage(state, action.img);
    case 'ADD_CHANNELT':
      // Does nothing, as specified: the home screen fetches the list anyway.
      return state;
    default:
      return action satisfies never;
  }
}

function listChannels(state: AppState, { channels, next, isFirstPage }: ListedChannels): AppState {
  const ids = channels.map(({ _id }) => _id);
  return {
    ...state,
    channels: channelsById(channels.map((channel) => relist(state, channel))),
    list: { ids, next, isFirstPage },
  };
}

function addChannels(
  state: AppState,
  list: ChannelList,
  added: Channel[],
  next: string | null,
): AppState {
  const ids = [...new Set([...list.ids, ...added.map(({ _id }) => _id)])];
  return {
    ...state,
    channels: new Map([
      ...state.channels,
      ...channelsById(added.map((channel) => relist(state, channel))),
    ]),
    list: { ...list, ids, next },
  };
}

/** The list brings no comments; those already loaded stay, so that Back finds its place. */
function relist(state: AppState, listed: Channel): ChannelState {
  const known = state.channels.get(listed._id);
  if (!known || lacksComments(known)) return listedChannel(listed);
  const { comments, moreAfter, isFirstPage } = known;
  return { ...listed, comments, moreAfter, isFirstPage };
}

function upsertChannel(
  state: AppState,
  { channel: loaded, moreAfter, isFirstPage, isAhead }: LoadedChannel,
): AppState {
  const { _id } = loaded;
  const known = state.channels.get(_id);
  if (isAhead && known && !lacksComments(known)) return state;
  // Parts that do not both begin at the beginning may have anything between them.
  const joins = known?.isFirstPage && isFirstPage;
  const channel: ChannelState = joins
    ? joinLoaded(known, loaded, moreAfter)
    : { ...loaded, moreAfter, isFirstPage };
  return {
    ...state,
    channels: new Map(state.channels).set(_id, channel),
    missingChannels: state.missingChannels.filter((id) => id !== _id),
  };
}

function joinLoaded(known: ChannelState, loaded: Channel, moreAfter: string | null): ChannelState {
  const { _id } = loaded;
  const comments = mergeComments(_id, known.comments, loaded.comments);
  const channel = { ...loaded, comments, isFirstPage: true };
  if (moreAfter === null) return { ...channel, moreAfter };
  // What this browser had before may reach further than what it was given now.
  const knownEnd = lastUnbroken(known);
  if (isAfter(_id, knownEnd, moreAfter)) return { ...channel, moreAfter: known.moreAfter };
  return { ...channel, moreAfter };
}

function dropChannel(state: AppState, channelId: string): AppState {
  return {
    ...state,
    channels: new Map([...state.channels].filter(([id]) => id !== channelId)),
    list: state.list && { ...state.list, ids: state.list.ids.filter((id) => id !== channelId) },
    missingChannels: [...new Set([...state.missingChannels, channelId])],
  };
}

/** Idempotent: the author's browser gets a comment twice, as the answer and from the stream. */
function addComment(channel: ChannelState, comment: Comment): ChannelState {
  const { _id, comments, commentCount } = channel;
  if (comments.some(({ id }) => id === comment.id)) return channel;
  // Comments are numbered from 1, so the newest number is how many there are and were.
  const number = commentNumber(_id, comment.id) ?? 0;
  return {
    ...channel,
    comments: mergeComments(_id, comments, [comment]),
    commentCount: Math.max(commentCount, number - channel.removedCount),
  };
}

function addCommentPage(channel: ChannelState, page: Comment[], next: string | null): ChannelState {
  const { _id } = channel;
  const comments = mergeComments(_id, channel.comments, page);
  const lastId = comments.at(-1)?.id;
  const lastNumber = lastId ? (commentNumber(_id, lastId) ?? 0) : 0;
  const commentCount = Math.max(channel.commentCount, lastNumber - channel.removedCount);
  // Where the page reaches those that came live, the gap may be closed though more follow it.
  const end = next && unbrokenUntil(channel, comments, next);
  const newest = commentCount + channel.removedCount;
  const isClosed = end === null || (commentNumber(_id, end) ?? 0) >= newest;
  return { ...channel, comments, commentCount, moreAfter: isClosed ? null : end };
}

/** An author's image is the account's current one, on all they wrote. */
function changeImage(state: AppState, img: string | null): AppState {
  const { id } = state.user;
  const autorImg = img ?? '';
  const repaint = <T extends { autorId: string; autorImg: string }>(written: T): T =>
    written.autorId === id ? { ...written, autorImg } : written;
  return {
    ...state,
    user: { ...state.user, img },
    channels: mapChannels(state, (channel) => ({
      ...repaint(channel),
      comments: channel.comments.map(repaint),
    })),
  };
}

function changeChannel(
  state: AppState,
  channelId: string,
  change: (channel: ChannelState) => ChannelState,
): AppState {
  const known = state.channels.get(channelId);
  const changed = known && change(known);
  if (changed === known || !changed) return state;
  return { ...state, channels: new Map(state.channels).set(channelId, changed) };
}

function mapChannels(
  { channels }: AppState,
  change: (channel: ChannelState) => ChannelState,
): Map<string, ChannelState> {
  return channelsById([...channels.values()].map(change));
}
