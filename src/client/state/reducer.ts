import type { Channel } from '../../shared/channels.ts';
import type { Action, LoadedChannel } from './actions.ts';
import { addComment, addCommentPage, joinFirstPage, lastContiguousId } from './loaded-comments.ts';
import {
  type AppState,
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
      // Not signed in yet: the login form that follows is filled in with this e-mail.
      return { ...state, user: { ...action.user, isLogged: false } };
    case 'CHANNELS_LISTED': {
      const { channels, next, isFirstPage } = action;
      const list = { ids: idsOf(channels), next, isFirstPage };
      return { ...state, channels: relist(state, channels), list };
    }
    case 'CHANNELS_ADDED': {
      const { list } = state;
      // Ignore a late response: another page of the list is shown by now.
      if (list?.next !== action.after) return state;
      const { channels, next } = action;
      const ids = [...new Set([...list.ids, ...idsOf(channels)])];
      return {
        ...state,
        channels: new Map([...state.channels, ...relist(state, channels)]),
        list: { ...list, ids, next },
      };
    }
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
        // Ignore a late response: another page of the channel is shown by now.
        channel.moreAfter === action.after
          ? addCommentPage(channel, action.comments, action.next)
          : channel,
      );
    case 'COMMENTS_MISSED':
      return changeChannel(state, action.channelId, (channel) => ({
        ...channel,
        moreAfter: lastContiguousId(channel),
      }));
    case 'SITE_RESTORED':
      return mapChannels(state, withoutComments);
    case 'UPDATE_USER_IMG':
      return changeImage(state, action.img);
    case 'ADD_CHANNELT':
      // Does nothing, as specified: the home page fetches the list anyway.
      return state;
    default:
      return action satisfies never;
  }
}

const idsOf = (channels: Channel[]) => channels.map(({ _id }) => _id);

/** Channels of the list, which have no comments; those loaded earlier stay, so that Back finds them. */
function relist(state: AppState, channels: Channel[]): Map<string, ChannelState> {
  return channelsById(
    channels.map((listed) => {
      const known = state.channels.get(listed._id);
      if (!known || lacksComments(known)) return listedChannel(listed);
      const { comments, moreAfter, isFirstPage } = known;
      return { ...listed, comments, moreAfter, isFirstPage };
    }),
  );
}

function upsertChannel(state: AppState, action: LoadedChannel): AppState {
  const { channel, moreAfter, isFirstPage } = action;
  const { _id } = channel;
  const known = state.channels.get(_id);
  // Comments may be missing between two pages of which one is not the first.
  const loaded =
    known?.isFirstPage && isFirstPage
      ? joinFirstPage(known, channel, moreAfter)
      : { ...channel, moreAfter, isFirstPage };
  return {
    ...state,
    channels: new Map(state.channels).set(_id, loaded),
    missingChannels: state.missingChannels.filter((id) => id !== _id),
  };
}

function dropChannel(state: AppState, channelId: string): AppState {
  const channels = new Map(state.channels);
  channels.delete(channelId);
  return {
    ...state,
    channels,
    list: state.list && { ...state.list, ids: state.list.ids.filter((id) => id !== channelId) },
    missingChannels: [...new Set([...state.missingChannels, channelId])],
  };
}

/** Everything that a user wrote shows the user's current image. */
function changeImage(state: AppState, img: string | null): AppState {
  const { user } = state;
  const withImage = <T extends { autorId: string; autorImg: string }>(written: T): T =>
    written.autorId === user.id ? { ...written, autorImg: img ?? '' } : written;
  return mapChannels({ ...state, user: { ...user, img } }, (channel) => ({
    ...withImage(channel),
    comments: channel.comments.map(withImage),
  }));
}

function changeChannel(
  state: AppState,
  channelId: string,
  change: (channel: ChannelState) => ChannelState,
): AppState {
  const known = state.channels.get(channelId);
  const changed = known && change(known);
  if (!changed || changed === known) return state;
  return { ...state, channels: new Map(state.channels).set(channelId, changed) };
}

function mapChannels(state: AppState, change: (channel: ChannelState) => ChannelState): AppState {
  return { ...state, channels: channelsById([...state.channels.values()].map(change)) };
}
