import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  after,
  channelAfter,
  channelWith,
  commentNo,
  commentsNo,
  lucia,
  onChannel,
} from '../../../test/client/state-examples.ts';
import type { PageData } from '../../shared/page-data.ts';
import type { Action } from './actions.ts';
import { type AppState, guest, initialState, lacksComments, noNews } from './state.ts';

const empty = initialState('/login', { page: 'login' });

function onHome(...channels: ReturnType<typeof channelWith>[]): AppState {
  const order = 'comments';
  const data: PageData = {
    page: 'home',
    channels,
    pinned: [],
    order,
    next: 'n1',
    after: null,
    upcoming: [],
    announcements: [],
  };
  return initialState('/', data);
}

const numbers = (state: AppState) => channelAfter(state).comments.map(({ number }) => number);
const added = (number: number): Action => ({ type: 'ADD_COMMENT', comment: commentNo(number) });
/** A page of comments as a channel is opened with it. */
const loaded = (first: number, last: number, count: number): Action => ({
  type: 'CHANNEL_LOADED',
  channel: channelWith('c1', count, { comments: commentsNo(first, last) }),
  span: { first, last: last < count ? last : null },
});
test('the state begins with a guest and the data that the server sent', () => {
  const state = onHome(channelWith('c1', 3), channelWith('c2', 0));
  assert.deepEqual(state.user, guest);
  const list = { ids: ['c1', 'c2'], pinned: [], order: 'comments', next: 'n1' };
  assert.deepEqual(state.list, { ...list, isFirstPage: true, upcoming: [], announcements: [] });
  const ends = [...state.channels.values()].map(({ span }) => span.last);
  assert.deepEqual(ends, [0, null]);
  const missing = initialState('/channel/zz?n=1', { page: 'not-found' });
  assert.equal(missing.missingAddress, '/channel/zz?n=1');
});

test('the state has an error from SET_ERROR until DELETE_ERROR', () => {
  const set = after(empty, { type: 'SET_ERROR' });
  assert.equal(set.error, true);
  assert.equal(after(set, { type: 'DELETE_ERROR' }).error, false);
});

test('the state has the user from LOGIN_REQUEST until LOGOUT_REQUEST, which keeps an address for the login form', () => {
  const registered = after(empty, { type: 'REGISTER_REQUEST', user: lucia });
  assert.deepEqual(registered.user, { ...lucia, isLogged: false });
  const signedIn = after(registered, { type: 'LOGIN_REQUEST', user: lucia });
  assert.deepEqual(signedIn.user, { ...lucia, isLogged: true });
  const email = 'ana@ejemplo.es';
  const withNews = after(signedIn, readUpTo(3));
  const signedOut = after(withNews, { type: 'LOGOUT_REQUEST', email });
  assert.deepEqual(signedOut.user, { ...guest, email });
  assert.deepEqual(signedOut.reads, {}, 'the next user does not get the news of this one');
  assert.deepEqual(after(signedIn, { type: 'LOGOUT_REQUEST' }).user, guest);
});

test('the state has the new image of UPDATE_USER_IMG on everything that the user wrote', () => {
  const start = onHome(
    channelWith('c1', 2, { comments: [commentNo(1), commentNo(2, 'c1', 'u2')] }),
    channelWith('c2', 0, { autorId: 'u2' }),
  );
  const img = '/files/images/yo.jpg';
  const signedIn = after(start, { type: 'LOGIN_REQUEST', user: lucia });
  const state = after(signedIn, { type: 'UPDATE_USER_IMG', img });
  const images = [...state.channels.values()].flatMap(({ autorImg, comments }) => [
    autorImg,
    ...comments.map((comment) => comment.autorImg),
  ]);
  assert.deepEqual([state.user.img, ...images], [img, img, img, '', '']);
  const without = after(state, { type: 'UPDATE_USER_IMG', img: null });
  assert.equal(channelAfter(without).autorImg, '');
});

test('the state has the level that the user chose beside the position in a channel, which reading moves', () => {
  const start = after(onChannel(1, 5, 5), readUpTo(3));
  const positions = [{ channelId: 'c1', number: 5 }];
  const state = after(
    start,
    { type: 'LEVEL_CHOSEN', channelId: 'c1', level: 'all' },
    { type: 'CHANNELS_READ', positions },
  );
  assert.deepEqual(state.reads.c1, { number: 5, unread: 0, level: 'all' });
  assert.equal(after(state, { type: 'CHANNELS_READ', positions }), state);
});

test('a position in a channel is unsent until the server has confirmed it, and never that of the next user', () => {
  const read = (type: 'CHANNELS_READ' | 'READS_SENT', number: number): Action => ({
    type,
    positions: [{ channelId: 'c1', number }],
  });
  const state = after(onChannel(1, 5, 5), readUpTo(3), read('CHANNELS_READ', 4));
  assert.deepEqual(state.unsentReads, { c1: 4 });
  assert.deepEqual(after(state, read('READS_SENT', 4)).unsentReads, {});
  const further = after(state, read('CHANNELS_READ', 5), read('READS_SENT', 4));
  assert.deepEqual(further.unsentReads, { c1: 5 });
  assert.deepEqual(after(further, { type: 'LOGOUT_REQUEST' }).unsentReads, {});
  assert.deepEqual(after(further, { type: 'LOGIN_REQUEST', user: lucia }).unsentReads, {});
});

test('the list of channels is replaced by CHANNELS_LISTED, but comments that were loaded stay', () => {
  const list = { order: 'new', next: null, isFirstPage: true } as const;
  const channels = [channelWith('c3', 2), channelWith('c1', 4), channelWith('c3', 2)];
  const pinned = [channelWith('c4', 0)];
  const listed: Action = {
    type: 'CHANNELS_LISTED',
    channels,
    pinned,
    ...list,
    upcoming: [],
    announcements: [],
  };
  const state = after(onChannel(1, 3, 3), listed);
  // A channel that moved between two pages is in both.
  assert.deepEqual(state.list, {
    ids: ['c3', 'c1'],
    pinned: ['c4'],
    ...list,
    upcoming: [],
    announcements: [],
  });
  assert.deepEqual([...state.channels.keys()], ['c4', 'c3', 'c1']);
  assert.deepEqual(numbers(state), [1, 2, 3]);
  assert.equal(channelAfter(state).commentCount, 4);
  const again = after(state, listed);
  assert.equal(again.channels.get('c3'), state.channels.get('c3'), 'its card is not rendered');
});

test('the list of channels is not changed by ADD_CHANNELT', () => {
  const state = onHome(channelWith('c1', 0));
  assert.equal(after(state, { type: 'ADD_CHANNELT', channel: channelWith('c9', 0) }), state);
});

test('the list of channels loses a channel by CHANNEL_MISSING', () => {
  const state = after(onHome(channelWith('c1', 0)), { type: 'CHANNEL_MISSING', channelId: 'c1' });
  assert.deepEqual([state.channels.size, state.list?.ids], [0, []]);
});

test('a channel has the comments of CHANNEL_LOADED, whether it was unknown, listed or loaded, and is no longer missing', () => {
  const missing = initialState('/channel/c1?n=1', { page: 'not-found' });
  for (const start of [missing, onHome(channelWith('c1', 4)), onChannel(50, 90, 120)]) {
    const state = after(start, loaded(46, 95, 121));
    const { comments, span, commentCount } = channelAfter(state);
    assert.deepEqual([comments[0]?.number, comments.at(-1)?.number], [46, 95]);
    assert.deepEqual([span, commentCount], [{ first: 46, last: 95 }, 121]);
    assert.equal(state.missingAddress, null);
  }
});

test('a channel is changed by CHANNEL_CHANGED, except to an earlier revision', () => {
  const changed = { ...channelWith('c1', 0), revision: 3, name: 'Teatro', closedAt: null };
  const state = after(
    onChannel(1, 2, 2),
    { type: 'CHANNEL_CHANGED', channel: changed },
    { type: 'CHANNEL_CHANGED', channel: { ...changed, revision: 2, name: 'Cine' } },
  );
  assert.equal(channelAfter(state).name, 'Teatro');
  assert.deepEqual(numbers(state), [1, 2]);
});

test('a channel has none of its comments after SITE_RESTORED, until they are loaded', () => {
  const restored = after(onChannel(3, 5, 5), { type: 'SITE_RESTORED' });
  assert.deepEqual(numbers(restored), []);
  assert.ok(lacksComments(channelAfter(restored)));
  // The backup has fewer comments.
  const { commentCount, span } = channelAfter(restored, loaded(1, 3, 3));
  assert.deepEqual([commentCount, span.last], [3, null]);
});

test('a comment is appended once by ADD_COMMENT, to the channel that is loaded', () => {
  const state = after(onChannel(1, 2, 2), added(3));
  assert.deepEqual(numbers(state), [1, 2, 3]);
  assert.equal(channelAfter(state).commentCount, 3);
  assert.equal(after(state, added(3)), state);
  assert.equal(after(state, { type: 'ADD_COMMENT', comment: commentNo(1, 'zz') }), state);
});

function readUpTo(number: number): Action {
  const reads = { c1: { number, unread: 2, level: 'mine' as const } };
  return { type: 'NEWS_LISTED', news: { ...noNews, reads } };
}
