import type { Channel } from '../../shared/channels.ts';
import { pageRoutes } from '../../shared/routes.ts';
import type { Action, LoadedChannel } from './actions.ts';
import {
  addComments,
  addEarlierPage,
  addLaterPage,
  changeComment,
  changed,
  leaveNewer,
  narrow,
  newestNumber,
  refetch,
  removeComment,
  replaceLoaded,
} from './comment-span.ts';
import { addNews, addUnsent, raiseReads, withoutSent } from './reads.ts';
import {
  type AppState,
  type ChannelState,
  channelsById,
  guest,
  lacksComments,
  listedChannel,
  noNews,
  withoutComments,
} from './state.ts';

export function reduce(state: AppState, action: Action): AppState {
  switch (action.type) {
    case 'SET_ERROR':
      return { ...state, error: true };
    case 'DELETE_ERROR':
      return state.error ? { ...state, error: false } : state;
    case 'LOGIN_REQUEST':
      return {
        ...state,
        user: { ...action.user, isLogged: true },
        wasSignedIn: true,
        unsentReads: {},
        ...noNews,
        acknowledged: null,
      };
    case 'LOGOUT_REQUEST':
      return {
        ...state,
        user: { ...guest, email: action.email ?? '' },
        unsentReads: {},
        ...noNews,
        acknowledged: null,
      };
    case 'REGISTER_REQUEST':
      // The account is not signed in yet: its e-mail address fills in the login form.
      return { ...state, user: { ...action.user, isLogged: false } };
    case 'CHANNELS_LISTED': {
      const { channels, pinned, order, next, isFirstPage, upcoming, announcements } = action;
      // A channel that moved between two pages is in both.
      const ids = [...new Set(idsOf(channels))];
      const shown = { order, next, isFirstPage, upcoming, announcements };
      const list = { ids, pinned: idsOf(pinned), ...shown };
      return {
        ...state,
        channels: relist(state, [...pinned, ...channels]),
        list,
      };
    }
    case 'NEWS_LISTED': {
      const { news } = action;
      return { ...state, ...news, reads: addNews(state.reads, news.reads) };
    }
    case 'ACKNOWLEDGED':
      return { ...state, acknowledged: [...(state.acknowledged ?? []), action.id] };
    case 'LEVEL_CHOSEN': {
      const { channelId, level } = action;
      const { number = 0, unread = 0 } = state.reads[channelId] ?? {};
      return { ...state, reads: { ...state.reads, [channelId]: { number, unread, level } } };
    }
    case 'CHANNELS_READ': {
      const reads = raiseReads(
        state.reads,
        action.positions,
        (id) => {
          const channel = state.channels.get(id);
          return channel ? newestNumber(channel) : Infinity;
        },
        state.follow,
      );
      if (reads === state.reads) return state;
      return { ...state, reads, unsentReads: addUnsent(state.unsentReads, action.positions) };
    }
    case 'READS_SENT':
      return { ...state, unsentReads: withoutSent(state.unsentReads, action.positions) };
    case 'CHANNEL_LOADED':
      return upsertChannel(state, action);
    case 'PERSON_SHOWN':
      return { ...state, person: action.person };
    case 'CHANNEL_MISSING':
      return dropChannel(state, action.channelId);
    case 'ADDRESS_MISSING':
      return state.missingAddress === action.address
        ? state
        : { ...state, missingAddress: action.address };
    case 'ADD_COMMENT':
      return changeChannel(state, action.comment.channelId, (channel) =>
        addComments(channel, [action.comment]),
      );
    case 'CHANNEL_CHANGED': {
      const { _id, name, description, cover, coverAlt, revision, editedAt, closedAt, isPinned } =
        action.channel;
      return changeChannel(state, _id, (channel) => {
        // The response to an edit in this tab may arrive after a later edit.
        if (channel.revision > revision) return channel;
        return changed({
          ...channel,
          name,
          description,
          cover,
          coverAlt,
          revision,
          editedAt,
          closedAt,
          isPinned,
        });
      });
    }
    case 'COMMENT_CHANGED':
      return changeChannel(state, action.comment.channelId, (channel) =>
        changeComment(channel, action.comment),
      );
    case 'COMMENT_REMOVED':
      return changeChannel(state, action.channelId, (channel) =>
        removeComment(channel, action.number),
      );
    case 'CHANNEL_REFETCHED':
      return changeChannel(state, action.channel._id, (channel) => refetch(channel, action));
    case 'LIVE_OPENED':
      return { ...state, epoch: action.epoch, liveStreams: state.liveStreams + 1 };
    case 'LATER_LISTED':
      return changeChannel(state, action.channelId, (channel) =>
        // Ignores a response that arrives after the page has moved to another range of the channel.
        channel.span.last === action.after ? addLaterPage(channel, action) : channel,
      );
    case 'EARLIER_LISTED':
      return changeChannel(state, action.channelId, (channel) =>
        channel.span.first === action.before ? addEarlierPage(channel, action) : channel,
      );
    case 'COMMENTS_ADDED':
      return changeChannel(state, action.channelId, (channel) =>
        addComments(channel, action.comments),
      );
    case 'SPAN_NARROWED':
      return changeChannel(state, action.channelId, (channel) => narrow(channel, action.inUse));
    case 'COMMENTS_MISSED':
      return changeChannel(state, action.channelId, leaveNewer);
    case 'SITE_RESTORED':
      return mapChannels(state, withoutComments);
    case 'UPDATE_USER_IMG':
      return changeImage(state, action.img);
    case 'USER_CHANGED':
      return { ...changeImage(state, action.user.img), user: { ...state.user, ...action.user } };
    case 'ADD_CHANNELT':
      // Does nothing, as specified: the home page fetches the list anyway.
      return state;
    default:
      return action satisfies never;
  }
}

const idsOf = (channels: Channel[]) => channels.map(({ _id }) => _id);

/** Channels of the list, which have no comments. Comments loaded earlier are kept, for Back. */
function relist(state: AppState, channels: Channel[]): Map<string, ChannelState> {
  return channelsById(
    channels.map((listed) => {
      const known = state.channels.get(listed._id);
      if (!known || lacksComments(known)) {
        const channel = listedChannel(listed);
        // Returns the same object, so that its card is not rendered again.
        return known && JSON.stringify(known) === JSON.stringify(channel) ? known : channel;
      }
      return { ...known, ...listed, comments: known.comments };
    }),
  );
}

function upsertChannel(state: AppState, action: LoadedChannel): AppState {
  const { channel, span } = action;
  const { _id } = channel;
  const loaded = { ...channel, span, changes: 0 };
  const known = state.channels.get(_id);
  const isMissing = state.missingAddress?.split('?', 1)[0] === pageRoutes.channel(_id);
  return {
    ...state,
    channels: new Map(state.channels).set(_id, known ? replaceLoaded(known, loaded) : loaded),
    missingAddress: isMissing ? null : state.missingAddress,
  };
}

function dropChannel(state: AppState, channelId: string): AppState {
  const channels = new Map(state.channels);
  channels.delete(channelId);
  return {
    ...state,
    channels,
    list: state.list && {
      ...state.list,
      ids: state.list.ids.filter((id) => id !== channelId),
      pinned: state.list.pinned.filter((id) => id !== channelId),
    },
  };
}

/** Everything the user has written shows the user's current image. */
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
