import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelWith, commentNo, commentsNo } from '../../../test/client/state-examples.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { Action } from './actions.ts';
import { isRemoved } from './changed-comments.ts';
import { reduce } from './reducer.ts';
import { type AppState, initialState } from './state.ts';

interface Loaded {
  first?: number;
  last: number;
  count: number;
}

function load({ first = 1, last, count }: Loaded): AppState {
  const next = last < count ? commentId('c1', last) : null;
  const channel = channelWith('c1', count, { comments: commentsNo(first, last) });
  const previous = first === 1 ? null : commentId('c1', first);
  return initialState('/channel/c1', { page: 'channel', channel, next, previous, range: {} });
}

function after(state: AppState, ...actions: Action[]) {
  const channel = actions.reduce(reduce, state).channels.get('c1');
  assert.ok(channel);
  return channel;
}

const removed = (number: number): Action => ({ type: 'COMMENT_REMOVED', channelId: 'c1', number });
const changed = (number: number, comment = 'corregido', revision = 2): Action => ({
  type: 'COMMENT_CHANGED',
  comment: { ...commentNo(number), comment, revision },
});
const numbersOf = ({ comments }: ReturnType<typeof after>) => comments.map((one) => one.number);

test('an edit replaces the comment in its position', () => {
  const { comments, commentCount } = after(load({ last: 3, count: 3 }), changed(2));
  assert.deepEqual(
    comments.map(({ comment }) => comment),
    ['comentario 1', 'corregido', 'comentario 3'],
  );
  assert.equal(commentCount, 3);
});

test('an older revision does not replace a newer one', () => {
  const { comments } = after(load({ last: 1, count: 1 }), changed(1, 'dos', 3), changed(1, 'uno'));
  assert.equal(comments[0]?.comment, 'dos');
});

test('a removed comment disappears and is subtracted from the count once, even if it is removed twice', () => {
  const channel = after(load({ last: 3, count: 3 }), removed(2), removed(2));
  assert.deepEqual(numbersOf(channel), [1, 3]);
  assert.deepEqual([channel.commentCount, channel.removedCount], [2, 1]);
});

test('a restored comment is inserted by its number and counted again', () => {
  for (const number of [1, 2, 3]) {
    const channel = after(load({ last: 3, count: 3 }), removed(number), changed(number));
    assert.deepEqual(numbersOf(channel), [1, 2, 3]);
    assert.deepEqual([channel.commentCount, channel.removedCount], [3, 0]);
  }
});

test('a restored comment at the edge of the loaded ones reappears, even if all of them were removed', () => {
  const state = load({ first: 11, last: 13, count: 40 });
  const numbers = [11, 12, 13];
  for (const number of numbers) {
    assert.deepEqual(numbersOf(after(state, removed(number), changed(number))), numbers);
  }
  const emptied = numbers.map(removed).reduce(reduce, state);
  assert.deepEqual(numbersOf(after(emptied)), []);
  assert.deepEqual(
    [10, 11, 13, 14].map((number) => isRemoved(after(emptied), number)),
    [false, true, true, false],
  );
  const restored = after(emptied, changed(13), changed(11), changed(12), changed(10), changed(14));
  assert.deepEqual(numbersOf(restored), numbers);
  assert.deepEqual([restored.commentCount, restored.removedCount], [40, 0]);
});

test('the comments of an emptied last page reappear between earlier ones and one that has arrived since', () => {
  const numbers = [38, 39, 40];
  const emptied = numbers.map(removed).reduce(reduce, load({ first: 38, last: 40, count: 40 }));
  const channel = after(
    emptied,
    { type: 'ADD_COMMENT', comment: commentNo(41) },
    ...numbers.map((number) => changed(number)),
    {
      type: 'EARLIER_LISTED',
      channelId: 'c1',
      before: commentId('c1', 38),
      data: commentsNo(36, 37),
      next: commentId('c1', 37),
      previous: commentId('c1', 36),
    },
  );
  assert.deepEqual(numbersOf(channel), [36, 37, 38, 39, 40, 41]);
});

test('an edit of a comment that is not loaded changes nothing', () => {
  const state = load({ first: 11, last: 20, count: 40 });
  for (const number of [10, 21, 40]) assert.equal(after(state, changed(number)), after(state));
  const withLive = reduce(state, { type: 'ADD_COMMENT', comment: commentNo(41) });
  assert.equal(after(withLive, changed(40)), after(withLive));
});

test('replies to a removed comment show that it was deleted, and its author when it is restored', () => {
  const reply = { ...commentNo(3), replyTo: 1, replyAutor: 'Lucía', replyExcerpt: 'comentario' };
  const state = reduce(load({ last: 2, count: 2 }), { type: 'ADD_COMMENT', comment: reply });
  const deleted = after(state, removed(1)).comments.at(-1);
  assert.deepEqual([deleted?.replyAutor, deleted?.replyExcerpt], ['', '']);
  assert.equal(after(state, removed(1), changed(1)).comments.at(-1)?.replyAutor, 'Lucía');
  const edited = after(state, changed(1)).comments.at(-1);
  assert.deepEqual([edited?.replyAutor, edited?.replyExcerpt], ['Lucía', '']);
});

const refreshed = (
  [from, to]: [number, number],
  numbers: number[],
  { count = 0, removedCount = 0, isEnd = true, hasLater = false },
): Action => ({
  type: 'CHANNEL_REFRESHED',
  channel: channelWith('c1', count, {
    comments: numbers.map((number) => commentNo(number)),
    removedCount,
  }),
  ...{ from, to, isEnd, hasLater },
});

test('refetched comments replace the shown ones, except for comments that arrived during the request', () => {
  const channel = after(
    load({ last: 3, count: 3 }),
    { type: 'ADD_COMMENT', comment: commentNo(4) },
    refreshed([1, 3], [1, 3], { count: 2, removedCount: 1 }),
  );
  assert.deepEqual(numbersOf(channel), [1, 3, 4]);
  assert.deepEqual([channel.commentCount, channel.removedCount], [3, 1]);
});

test('a comment that was added during the request and is missing from the response is removed', () => {
  const channel = after(
    load({ last: 3, count: 3 }),
    ...[4, 5, 6, 7].map((number): Action => ({ type: 'ADD_COMMENT', comment: commentNo(number) })),
    refreshed([1, 3], [1, 2, 3, 5], { count: 4, removedCount: 2 }),
  );
  assert.deepEqual(numbersOf(channel), [1, 2, 3, 5, 7]);
});

test('an unchanged comment stays the same object, and one that this page edited during the request stays', () => {
  const state = load({ last: 2, count: 2 });
  const edited = { ...commentNo(2), revision: 2, comment: 'corregido' };
  const before = after(state, { type: 'COMMENT_CHANGED', comment: edited });
  const { comments } = after(
    reduce(state, { type: 'COMMENT_CHANGED', comment: edited }),
    refreshed([1, 2], [1, 2], { count: 2 }),
  );
  assert.equal(comments[0], before.comments[0]);
  assert.equal(comments[1]?.comment, 'corregido');
});

test('the page does not wait for later comments when none of them is left', () => {
  const state = load({ last: 50, count: 60 });
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
  const some = refreshed([1, 50], numbers, { count: 51, removedCount: 9, hasLater: true });
  assert.equal(after(state, some).moreAfter, commentId('c1', 50));
  const none = refreshed([1, 50], numbers, { count: 50, removedCount: 10 });
  assert.equal(after(state, none).moreAfter, null);
});

test('comments of a very long list that were not refetched are left to be loaded', () => {
  const part = refreshed([21, 30], [21, 30], { count: 60, isEnd: false, hasLater: true });
  const { moreBefore, moreAfter, ...channel } = after(load({ last: 60, count: 60 }), part);
  assert.deepEqual(numbersOf({ moreBefore, moreAfter, ...channel }), [21, 30]);
  assert.deepEqual([moreBefore, moreAfter], [commentId('c1', 21), commentId('c1', 30)]);
});

test('a comment counts as removed when its number was assigned and is missing among the loaded ones', () => {
  const channel = after(load({ first: 3, last: 5, count: 8 }), removed(4));
  const numbers = [1, 2, 3, 4, 5, 6, 8].filter((number) => isRemoved(channel, number));
  assert.deepEqual(numbers, [4]);
  const whole = after(load({ last: 3, count: 3 }), removed(3));
  assert.deepEqual(
    [2, 3, 4].map((number) => isRemoved(whole, number)),
    [false, true, false],
  );
});

test('an edit of a comment that is not loaded removes its excerpt from a loaded reply', () => {
  const reply = { ...commentNo(60), replyTo: 2, replyAutor: 'Lucía', replyExcerpt: 'comentario' };
  const state = load({ first: 51, last: 59, count: 59 });
  const channel = after(state, { type: 'ADD_COMMENT', comment: reply }, changed(2));
  assert.equal(channel.comments.at(-1)?.replyExcerpt, '');
});
