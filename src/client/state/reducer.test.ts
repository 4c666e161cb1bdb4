import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { channelWith, commentNo, commentsNo, lucia } from '../../../test/client/state-examples.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { PageData } from '../../shared/page-data.ts';
import type { Action } from './actions.ts';
import { lastLoadedId } from './loaded-comments.ts';
import { reduce } from './reducer.ts';
import { type AppState, guest, initialState, lacksComments } from './state.ts';

const empty = initialState('/login', { page: 'login' });

/** Reduces a deeply frozen state, so that any mutation throws. */
function after(state: AppState, ...actions: Action[]): AppState {
  return actions.reduce((current, action) => reduce(freeze(current), freeze(action)), state);
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    const parts = value instanceof Map ? value.values() : Object.values(value);
    for (const part of parts) freeze(part);
  }
  return value;
}

function onChannel(first: number, last: number, count: number): AppState {
  const next = last < count ? commentId('c1', last) : null;
  const channel = channelWith('c1', count, { comments: commentsNo(first, last) });
  const previous = first === 1 ? null : commentId('c1', first);
  return initialState('/channel/c1', { page: 'channel', channel, next, previous, range: {} });
}

function onHome(...channels: ReturnType<typeof channelWith>[]): AppState {
  const data: PageData = {
    page: 'home',
    channels,
    pinned: [],
    order: 'comments',
    next: 'n1',
    after: null,
  };
  return initialState('/', data);
}

const numbers = (state: AppState, id = 'c1') =>
  state.channels.get(id)?.comments.map((comment) => Number(comment.id.split('-').at(-1)));
const channel = (state: AppState, id = 'c1') => {
  const found = state.channels.get(id);
  assert.ok(found);
  return found;
};

/** The last page after a number, requested when the given newest comment was known. */
const lastPage = (after: number, last: number, newest: number): Action => ({
  type: 'COMMENTS_LISTED',
  channelId: 'c1',
  after: commentId('c1', after),
  newest,
  data: commentsNo(after + 1, last),
  next: null,
  previous: null,
});

suite('the initial state', () => {
  test('has a guest and the data that the server sent', () => {
    const state = onHome(channelWith('c1', 3), channelWith('c2', 0));
    assert.deepEqual(state.user, guest);
    assert.deepEqual(state.list, {
      ids: ['c1', 'c2'],
      pinned: [],
      order: 'comments',
      next: 'n1',
      isFirstPage: true,
    });
    assert.equal(channel(state, 'c1').moreAfter, commentId('c1', 0));
    assert.equal(channel(state, 'c2').moreAfter, null);
  });

  test('knows that the page is missing', () => {
    const state = initialState('/channel/zz?n=1', { page: 'not-found' });
    assert.equal(state.missingAddress, '/channel/zz?n=1');
  });
});

suite('the user and the error flag', () => {
  test('SET_ERROR sets the flag and DELETE_ERROR clears it', () => {
    const set = after(empty, { type: 'SET_ERROR' });
    assert.equal(set.error, true);
    assert.equal(after(set, { type: 'DELETE_ERROR' }).error, false);
  });

  test('LOGIN_REQUEST sets the user', () => {
    assert.deepEqual(after(empty, { type: 'LOGIN_REQUEST', user: lucia }).user, {
      ...lucia,
      isLogged: true,
    });
  });

  test('REGISTER_REQUEST sets the user from the response, not yet signed in', () => {
    assert.deepEqual(after(empty, { type: 'REGISTER_REQUEST', user: lucia }).user, {
      ...lucia,
      isLogged: false,
    });
  });

  test('LOGOUT_REQUEST leaves a user who is not signed in', () => {
    const state = after(empty, { type: 'LOGIN_REQUEST', user: lucia }, { type: 'LOGOUT_REQUEST' });
    assert.deepEqual(state.user, guest);
  });

  test('LOGOUT_REQUEST keeps the address for the login form, if it has one', () => {
    const state = after(empty, { type: 'LOGOUT_REQUEST', email: 'ana@ejemplo.es' });
    assert.deepEqual(state.user, { ...guest, email: 'ana@ejemplo.es' });
  });

  test('UPDATE_USER_IMG changes the image on everything that the user wrote', () => {
    const start = onHome(
      channelWith('c1', 2, { comments: [commentNo(1), commentNo(2, 'c1', 'u2')] }),
      channelWith('c2', 0, { autorId: 'u2' }),
    );
    const state = after(
      start,
      { type: 'LOGIN_REQUEST', user: lucia },
      { type: 'UPDATE_USER_IMG', img: '/files/images/yo.jpg' },
    );
    assert.equal(state.user.img, '/files/images/yo.jpg');
    assert.equal(channel(state, 'c1').autorImg, '/files/images/yo.jpg');
    assert.equal(channel(state, 'c2').autorImg, '');
    assert.deepEqual(
      channel(state, 'c1').comments.map(({ autorImg }) => autorImg),
      ['/files/images/yo.jpg', ''],
    );
    assert.equal(channel(after(state, { type: 'UPDATE_USER_IMG', img: null })).autorImg, '');
  });
});

suite('the list of channels', () => {
  test('CHANNELS_LISTED replaces the list', () => {
    const state = after(onHome(channelWith('c1', 1)), {
      type: 'CHANNELS_LISTED',
      channels: [channelWith('c3', 2), channelWith('c2', 1)],
      pinned: [channelWith('c4', 0)],
      order: 'new',
      next: null,
      isFirstPage: true,
    });
    assert.deepEqual(state.list, {
      ids: ['c3', 'c2'],
      pinned: ['c4'],
      order: 'new',
      next: null,
      isFirstPage: true,
    });
    assert.deepEqual([...state.channels.keys()], ['c4', 'c3', 'c2']);
  });

  test('CHANNELS_LISTED keeps comments that were loaded already', () => {
    const state = after(onChannel(1, 3, 3), {
      type: 'CHANNELS_LISTED',
      channels: [channelWith('c1', 4)],
      pinned: [],
      order: 'comments',
      next: null,
      isFirstPage: true,
    });
    assert.deepEqual(numbers(state), [1, 2, 3]);
    assert.equal(channel(state).commentCount, 4);
  });

  test('ADD_CHANNELT does nothing', () => {
    const state = onHome(channelWith('c1', 0));
    assert.equal(after(state, { type: 'ADD_CHANNELT', channel: channelWith('c9', 0) }), state);
  });
});

suite('one channel', () => {
  test('CHANNEL_LOADED adds a channel that was not known', () => {
    const loaded = channelWith('c1', 2, { comments: commentsNo(1, 2) });
    const state = after(empty, {
      type: 'CHANNEL_LOADED',
      channel: loaded,
      moreAfter: null,
      moreBefore: null,
    });
    assert.deepEqual(numbers(state), [1, 2]);
    assert.equal(state.list, null);
  });

  test('CHANNEL_LOADED fills in a channel known from the list', () => {
    const state = after(onHome(channelWith('c1', 3)), {
      type: 'CHANNEL_LOADED',
      channel: channelWith('c1', 3, { comments: commentsNo(1, 2) }),
      moreAfter: commentId('c1', 2),
      moreBefore: null,
    });
    assert.deepEqual(numbers(state), [1, 2]);
    assert.equal(channel(state).moreAfter, commentId('c1', 2));
  });

  test('CHANNEL_LOADED replaces the comments that were loaded', () => {
    const state = after(onChannel(1, 90, 120), {
      type: 'CHANNEL_LOADED',
      channel: channelWith('c1', 121, { comments: commentsNo(46, 95) }),
      moreAfter: commentId('c1', 95),
      moreBefore: commentId('c1', 46),
    });
    assert.deepEqual([numbers(state)?.[0], numbers(state)?.at(-1)], [46, 95]);
    assert.deepEqual([channel(state).moreBefore, channel(state).moreAfter], ['c1-46', 'c1-95']);
    assert.equal(channel(state).commentCount, 121);
  });

  test('CHANNEL_LOADED with a last page that was read before a live comment arrived leaves that comment to be loaded', () => {
    const state = after(
      onChannel(1, 50, 480),
      { type: 'COMMENTS_ADDED', channelId: 'c1', comments: commentsNo(481, 481) },
      {
        type: 'CHANNEL_LOADED',
        channel: channelWith('c1', 480, { comments: commentsNo(431, 480) }),
        moreAfter: null,
        moreBefore: commentId('c1', 431),
      },
    );
    assert.equal(channel(state).commentCount, 481);
    assert.equal(channel(state).moreAfter, commentId('c1', 480));
  });

  test('CHANNEL_CHANGED replaces what was edited, except by an earlier revision', () => {
    const changed = { ...channelWith('c1', 0), revision: 3, name: 'Teatro', closedAt: null };
    const state = after(
      onChannel(1, 2, 2),
      { type: 'CHANNEL_CHANGED', channel: changed },
      { type: 'CHANNEL_CHANGED', channel: { ...changed, revision: 2, name: 'Cine' } },
    );
    assert.equal(channel(state).name, 'Teatro');
    assert.deepEqual(numbers(state), [1, 2]);
  });

  test('CHANNEL_MISSING removes the channel', () => {
    const state = after(onHome(channelWith('c1', 0)), { type: 'CHANNEL_MISSING', channelId: 'c1' });
    assert.equal(state.channels.size, 0);
    assert.deepEqual(state.list?.ids, []);
  });
});

suite('comments', () => {
  test('ADD_COMMENT appends to the matching channel', () => {
    const state = after(onChannel(1, 2, 2), { type: 'ADD_COMMENT', comment: commentNo(3) });
    assert.deepEqual(numbers(state), [1, 2, 3]);
    assert.equal(channel(state).commentCount, 3);
  });

  test('ADD_COMMENT of a channel that is not loaded changes nothing', () => {
    const state = onChannel(1, 2, 2);
    assert.equal(after(state, { type: 'ADD_COMMENT', comment: commentNo(1, 'zz') }), state);
  });

  test('ADD_COMMENT twice adds it once', () => {
    const once = after(onChannel(1, 2, 2), { type: 'ADD_COMMENT', comment: commentNo(3) });
    assert.equal(after(once, { type: 'ADD_COMMENT', comment: commentNo(3) }), once);
  });

  test('ADD_COMMENT sorts comments that arrive out of order, by number and not by letter', () => {
    const state = after(
      onChannel(1, 9, 9),
      { type: 'ADD_COMMENT', comment: commentNo(11) },
      { type: 'ADD_COMMENT', comment: commentNo(10) },
    );
    assert.deepEqual(numbers(state)?.slice(-3), [9, 10, 11]);
    assert.equal(channel(state).commentCount, 11);
  });

  test('a live comment is only counted while comments before it are not loaded', () => {
    const state = after(onChannel(1, 50, 80), { type: 'ADD_COMMENT', comment: commentNo(81) });
    assert.equal(numbers(state)?.length, 50);
    assert.equal(channel(state).commentCount, 81);
    assert.equal(channel(state).moreAfter, commentId('c1', 50));
  });

  test('COMMENTS_LISTED appends the next page and moves `moreAfter`', () => {
    const state = after(onChannel(1, 50, 120), {
      type: 'COMMENTS_LISTED',
      channelId: 'c1',
      after: commentId('c1', 50),
      newest: 120,
      data: commentsNo(51, 100),
      next: commentId('c1', 100),
      previous: null,
    });
    assert.equal(numbers(state)?.length, 100);
    assert.equal(channel(state).moreAfter, commentId('c1', 100));
  });

  test('COMMENTS_LISTED of a page that follows other comments changes nothing', () => {
    const state = onChannel(1, 50, 200);
    const late: Action = {
      type: 'COMMENTS_LISTED',
      channelId: 'c1',
      after: commentId('c1', 100),
      newest: 200,
      data: commentsNo(101, 150),
      next: commentId('c1', 150),
      previous: null,
    };
    assert.equal(after(state, late), state);
  });

  test('COMMENTS_LISTED of the last page clears `moreAfter`', () => {
    const state = after(
      onChannel(1, 50, 60),
      { type: 'ADD_COMMENT', comment: commentNo(61) },
      lastPage(50, 61, 60),
    );
    assert.equal(numbers(state)?.length, 61);
    assert.equal(channel(state).moreAfter, null);
  });

  test('a last page that was read before a live comment arrived leaves that comment to be loaded', () => {
    const state = after(
      onChannel(1, 50, 100),
      { type: 'ADD_COMMENT', comment: commentNo(101) },
      lastPage(50, 100, 100),
    );
    assert.equal(channel(state).moreAfter, commentId('c1', 100));
    assert.equal(channel(state).commentCount, 101);
  });

  test('a last page is still the last one after an earlier live comment was deleted', () => {
    const state = after(
      onChannel(11, 50, 60),
      { type: 'ADD_COMMENT', comment: commentNo(61) },
      { type: 'COMMENT_REMOVED', channelId: 'c1', number: 61 },
      lastPage(50, 60, 61),
      { type: 'ADD_COMMENT', comment: commentNo(62) },
    );
    assert.equal(channel(state).moreAfter, null);
    assert.equal(numbers(state)?.at(-1), 62);
  });

  test('an empty last page that was read before a live comment arrived leaves that comment to be loaded', () => {
    const state = after(
      onChannel(1, 50, 51),
      { type: 'ADD_COMMENT', comment: commentNo(52) },
      lastPage(50, 50, 51),
    );
    assert.equal(channel(state).moreAfter, commentId('c1', 50));
  });

  test('EARLIER_LISTED prepends the page before the first comment', () => {
    const earlier: Action = {
      type: 'EARLIER_LISTED',
      channelId: 'c1',
      before: commentId('c1', 51),
      data: commentsNo(11, 50),
      next: null,
      previous: commentId('c1', 11),
    };
    const state = after(onChannel(51, 60, 60), earlier);
    assert.deepEqual([numbers(state)?.[0], numbers(state)?.length], [11, 50]);
    assert.equal(channel(state).moreBefore, commentId('c1', 11));
    assert.equal(after(state, earlier), state, 'a late response changes nothing');
  });

  test('SITE_RESTORED removes all comments, and the next page replaces them', () => {
    const restored = after(onChannel(1, 5, 5), { type: 'SITE_RESTORED' });
    assert.deepEqual(numbers(restored), []);
    assert.ok(lacksComments(channel(restored)));
    const state = after(restored, {
      type: 'CHANNEL_LOADED',
      channel: channelWith('c1', 3, { comments: commentsNo(1, 3) }),
      moreAfter: null,
      moreBefore: null,
    });
    assert.deepEqual(numbers(state), [1, 2, 3]);
    assert.equal(channel(state).moreAfter, null);
    assert.equal(channel(state).commentCount, 3);
  });

  test('removed comments are not counted and leave no gap', () => {
    const shown = [...commentsNo(1, 10), ...commentsNo(31, 60)];
    const loaded = channelWith('c1', 40, { comments: shown, removedCount: 20 });
    const state = after(
      empty,
      {
        type: 'CHANNEL_LOADED',
        channel: loaded,
        moreAfter: null,
        moreBefore: null,
      },
      { type: 'ADD_COMMENT', comment: commentNo(61) },
    );
    assert.equal(channel(state).commentCount, 41);
    assert.equal(lastLoadedId(channel(state)), commentId('c1', 61));
  });

  test('COMMENTS_MISSED sets `moreAfter` to the last comment that is loaded', () => {
    const state = after(onChannel(1, 4, 4), { type: 'COMMENTS_MISSED', channelId: 'c1' });
    assert.equal(channel(state).moreAfter, commentId('c1', 4));
    const none = after(onChannel(1, 0, 0), { type: 'COMMENTS_MISSED', channelId: 'c1' });
    assert.equal(channel(none).moreAfter, commentId('c1', 0));
  });

  test('COMMENTS_ADDED counts comments beyond 5,000 on a page and leaves them to be loaded', () => {
    const added = (first: number, last: number): Action => ({
      type: 'COMMENTS_ADDED',
      channelId: 'c1',
      comments: commentsNo(first, last),
    });
    const full = after(onChannel(1, 4990, 4990), added(4991, 5000));
    assert.equal(numbers(full)?.length, 5000);
    assert.equal(channel(full).moreAfter, null);
    const more = after(full, added(5001, 5010));
    assert.equal(numbers(more)?.length, 5000);
    assert.equal(channel(more).commentCount, 5010);
    assert.equal(channel(more).moreAfter, commentId('c1', 5000));
  });
});
