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
import { commentId } from '../../shared/comment-id.ts';
import type { PageData } from '../../shared/page-data.ts';
import type { Action } from './actions.ts';
import { countLater, hasRange, lastLoadedId } from './loaded-comments.ts';
import { type AppState, guest, initialState, lacksComments, noNews } from './state.ts';

const empty = initialState('/login', { page: 'login' });

function onHome(...channels: ReturnType<typeof channelWith>[]): AppState {
  const order = 'comments';
  const data: PageData = { page: 'home', channels, pinned: [], order, next: 'n1', after: null };
  return initialState('/', data);
}

const numbers = (state: AppState) => channelAfter(state).comments.map(({ number }) => number);
const added = (number: number): Action => ({ type: 'ADD_COMMENT', comment: commentNo(number) });
/** A page of comments as a channel is opened with it. */
const loaded = (first: number, last: number, count: number): Action => ({
  type: 'CHANNEL_LOADED',
  channel: channelWith('c1', count, { comments: commentsNo(first, last) }),
  moreAfter: last < count ? commentId('c1', last) : null,
  moreBefore: first === 1 ? null : commentId('c1', first),
});
/** The page after a number, requested when the given newest comment was known. */
const later = (
  afterNumber: number,
  last: number,
  { newest, isLast = true }: { newest: number; isLast?: boolean },
): Action => ({
  type: 'COMMENTS_LISTED',
  channelId: 'c1',
  after: commentId('c1', afterNumber),
  newest,
  data: commentsNo(afterNumber + 1, last),
  next: isLast ? null : commentId('c1', last),
  previous: null,
});

test('the state begins with a guest and the data that the server sent', () => {
  const state = onHome(channelWith('c1', 3), channelWith('c2', 0));
  assert.deepEqual(state.user, guest);
  const list = { ids: ['c1', 'c2'], pinned: [], order: 'comments', next: 'n1' };
  assert.deepEqual(state.list, { ...list, isFirstPage: true });
  const cursors = [...state.channels.values()].map(({ moreAfter }) => moreAfter);
  assert.deepEqual(cursors, [commentId('c1', 0), null]);
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

test('the list of channels is replaced by CHANNELS_LISTED, but comments that were loaded stay', () => {
  const list = { order: 'new', next: null, isFirstPage: true } as const;
  const channels = [channelWith('c3', 2), channelWith('c1', 4), channelWith('c3', 2)];
  const pinned = [channelWith('c4', 0)];
  const listed: Action = { type: 'CHANNELS_LISTED', channels, pinned, ...list };
  const state = after(onChannel(1, 3, 3), listed);
  // A channel that moved between two pages is in both.
  assert.deepEqual(state.list, { ids: ['c3', 'c1'], pinned: ['c4'], ...list });
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
    const { comments, moreBefore, moreAfter, commentCount } = channelAfter(state);
    assert.deepEqual([comments[0]?.number, comments.at(-1)?.number], [46, 95]);
    assert.deepEqual([moreBefore, moreAfter, commentCount], ['c1-46', 'c1-95', 121]);
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
  const { commentCount, moreAfter } = channelAfter(restored, loaded(1, 3, 3));
  assert.deepEqual([commentCount, moreAfter], [3, null]);
});

test('a comment is appended once by ADD_COMMENT, to the channel that is loaded', () => {
  const state = after(onChannel(1, 2, 2), added(3));
  assert.deepEqual(numbers(state), [1, 2, 3]);
  assert.equal(channelAfter(state).commentCount, 3);
  assert.equal(after(state, added(3)), state);
  assert.equal(after(state, { type: 'ADD_COMMENT', comment: commentNo(1, 'zz') }), state);
});

test('a comment that arrives out of order is sorted by number and not by letter', () => {
  const state = after(onChannel(1, 9, 9), added(11), added(10));
  assert.deepEqual(numbers(state).slice(-3), [9, 10, 11]);
  assert.equal(channelAfter(state).commentCount, 11);
});

test('a comment is only counted while comments before it are not loaded', () => {
  const { comments, commentCount, moreAfter } = channelAfter(onChannel(1, 50, 80), added(81));
  assert.deepEqual([comments.length, commentCount, moreAfter], [50, 81, 'c1-50']);
});

test('a comment beyond the 5,000 of a page is counted and left to be loaded', () => {
  const addedUpTo = (first: number, last: number): Action => ({
    type: 'COMMENTS_ADDED',
    channelId: 'c1',
    comments: commentsNo(first, last),
  });
  const full = after(onChannel(1, 4990, 4990), addedUpTo(4991, 5000));
  assert.equal(numbers(full).length, 5000);
  assert.equal(channelAfter(full).moreAfter, null);
  const { comments, commentCount, moreAfter } = channelAfter(full, addedUpTo(5001, 5010));
  assert.deepEqual([comments.length, commentCount, moreAfter], [5000, 5010, 'c1-5000']);
});

test('a comment is counted after removed ones by its number less theirs', () => {
  const comments = [...commentsNo(1, 10), ...commentsNo(31, 60)];
  const channel = channelWith('c1', 40, { comments, removedCount: 20 });
  const cursors = { moreAfter: null, moreBefore: null };
  const state = after(empty, { type: 'CHANNEL_LOADED', channel, ...cursors }, added(61));
  assert.equal(channelAfter(state).commentCount, 41);
  assert.equal(lastLoadedId(channelAfter(state)), commentId('c1', 61));
});

test('a page of comments is appended by COMMENTS_LISTED, up to the last page', () => {
  const some = after(onChannel(1, 50, 120), later(50, 100, { newest: 120, isLast: false }));
  assert.deepEqual([numbers(some).length, channelAfter(some).moreAfter], [100, 'c1-100']);
  const all = channelAfter(some, added(121), later(100, 121, { newest: 120 }));
  assert.deepEqual([all.comments.length, all.moreAfter], [121, null]);
});

test('a page of comments is prepended by EARLIER_LISTED', () => {
  const earlier: Action = {
    type: 'EARLIER_LISTED',
    channelId: 'c1',
    before: commentId('c1', 51),
    data: commentsNo(11, 50),
    next: null,
    previous: commentId('c1', 11),
  };
  const state = after(onChannel(51, 60, 60), earlier);
  assert.deepEqual([numbers(state)[0], numbers(state).length], [11, 50]);
  assert.equal(channelAfter(state).moreBefore, commentId('c1', 11));
  assert.equal(after(state, earlier), state, 'a late response changes nothing');
});

test('a page of comments changes nothing when the page has moved to other comments since it was requested', () => {
  const state = onChannel(1, 50, 200);
  assert.equal(after(state, later(100, 150, { newest: 200 })), state);
});

test('a page of comments that was read before a live comment arrived leaves that comment to be loaded', () => {
  for (const [title, start, page] of [
    ['a last page', onChannel(1, 50, 100), later(50, 100, { newest: 100 })],
    ['an empty last page', onChannel(1, 100, 101), later(100, 100, { newest: 100 })],
    ['another range of the channel', onChannel(1, 50, 100), loaded(51, 100, 100)],
  ] as const) {
    const { commentCount, moreAfter } = channelAfter(start, added(101), added(102), page);
    assert.deepEqual([commentCount, moreAfter], [102, 'c1-100'], title);
  }
});

test('a page of comments is still the last one after a live comment that arrived earlier was deleted', () => {
  const channel = channelAfter(
    onChannel(11, 50, 60),
    added(61),
    { type: 'COMMENT_REMOVED', channelId: 'c1', number: 61 },
    later(50, 60, { newest: 61 }),
    added(62),
  );
  assert.deepEqual([channel.moreAfter, channel.comments.at(-1)?.number], [null, 62]);
});

test('a page of comments follows the last loaded comment after COMMENTS_MISSED', () => {
  for (const last of [4, 0]) {
    const missed: Action = { type: 'COMMENTS_MISSED', channelId: 'c1' };
    assert.equal(channelAfter(onChannel(1, last, last), missed).moreAfter, `c1-${last}`);
  }
});

test('the loaded range tells whether the comments of an address are loaded', () => {
  const channel = channelAfter(onChannel(11, 40, 60));
  const id = (number: number) => commentId('c1', number);
  const has = (range: Parameters<typeof hasRange>[1]) => hasRange(channel, range);
  assert.deepEqual(
    [11, 31, 32].map((around) => has({ around })),
    [true, true, false],
  );
  assert.deepEqual(
    [9, 10, 39, 40].map((number) => has({ after: id(number) })),
    [false, true, true, false],
  );
  assert.deepEqual(
    [11, 12, 41, 42].map((number) => has({ before: id(number) })),
    [false, true, true, false],
  );
  assert.equal(has({ after: commentId('c2', 20) }), false, 'an id of another channel');
});

test('the loaded range tells how many comments follow, at most if some may have been removed', () => {
  const removed: Action = { type: 'COMMENT_REMOVED', channelId: 'c1', number: 30 };
  const some = onChannel(11, 40, 60);
  assert.deepEqual(countLater(channelAfter(some)), { count: 20, isExact: true });
  assert.deepEqual(countLater(channelAfter(some, removed)), { count: 20, isExact: true });
  for (const [first, expected] of [
    [1, { count: 17, isExact: true }],
    [11, { count: 20, isExact: false }],
  ] as const) {
    const channel = { ...channelAfter(onChannel(first, 40, 57)), removedCount: 3 };
    assert.deepEqual(countLater(channel), expected);
  }
});

function readUpTo(number: number): Action {
  const reads = { c1: { number, unread: 2, level: 'mine' as const } };
  return { type: 'NEWS_LISTED', news: { ...noNews, reads } };
}
