import assert from 'node:assert/strict';
import type { Action } from '../../src/client/state/actions.ts';
import { reduce } from '../../src/client/state/reducer.ts';
import { type AppState, type ChannelState, initialState } from '../../src/client/state/state.ts';
import type { User } from '../../src/shared/accounts.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import type { Comment } from '../../src/shared/comments.ts';

/** Made-up values for tests of the client's state. */
export const lucia: User = { id: 'u1', name: 'Lucía', email: 'lucia@ejemplo.es', img: null };

export function commentNo(number: number, channelId = 'c1', autorId = 'u1'): Comment {
  return {
    id: commentId(channelId, number),
    channelId,
    number,
    autor: 'Lucía',
    autorId,
    autorImg: '',
    comment: `comentario ${number}`,
    createdAt: '2026-11-20T10:00:00.000Z',
    revision: 1,
    editedAt: null,
    replyTo: null,
    replyAutor: '',
    replyExcerpt: '',
    replyCount: 0,
    mentions: [],
    images: [],
    thanks: { count: 0, names: [] },
    event: null,
    poll: null,
    files: [],
    announcement: null,
  };
}

export function commentsNo(first: number, last: number, channelId = 'c1'): Comment[] {
  return Array.from({ length: last - first + 1 }, (_, index) =>
    commentNo(first + index, channelId),
  );
}

export function channelWith(
  _id: string,
  commentCount: number,
  more: Partial<Channel> = {},
): Channel {
  return {
    _id,
    name: `Canal ${_id}`,
    description: 'Para hablar',
    coverAlt: '',
    cover: '/files/images/portada.jpg',
    autor: 'Lucía',
    autorId: 'u1',
    autorImg: '',
    comments: [],
    commentCount,
    removedCount: 0,
    createdAt: '2026-11-01T10:00:00.000Z',
    revision: 1,
    editedAt: null,
    closedAt: null,
    isPinned: false,
    lastCommentAt: null,
    ...more,
  };
}

/** The state of a page that shows these comments of channel `c1`. */
export function onChannel(first: number, last: number, count: number): AppState {
  const next = last < count ? commentId('c1', last) : null;
  const previous = first === 1 ? null : commentId('c1', first);
  const channel = channelWith('c1', count, { comments: commentsNo(first, last) });
  return initialState('/channel/c1', { page: 'channel', channel, next, previous, range: {} });
}

/** Reduces a deeply frozen state, so that any mutation throws. */
export function after(state: AppState, ...actions: Action[]): AppState {
  return actions.reduce((current, action) => reduce(freeze(current), freeze(action)), state);
}

/** Channel `c1` after these actions. */
export function channelAfter(state: AppState, ...actions: Action[]): ChannelState {
  const channel = after(state, ...actions).channels.get('c1');
  assert.ok(channel);
  return channel;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    const parts = value instanceof Map ? value.values() : Object.values(value);
    for (const part of parts) freeze(part);
  }
  return value;
}
