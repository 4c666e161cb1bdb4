import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  after,
  channelAfter,
  channelWith,
  commentNo,
  onChannel,
} from '../../../test/client/state-examples.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { Action } from './actions.ts';
import { isRemoved } from './changed-comments.ts';
import type { ChannelState } from './state.ts';

const added = (number: number, more = {}): Action => ({
  type: 'ADD_COMMENT',
  comment: { ...commentNo(number), ...more },
});
const removed = (number: number): Action => ({ type: 'COMMENT_REMOVED', channelId: 'c1', number });
const changed = (number: number, comment = 'corregido', revision = 2): Action => ({
  type: 'COMMENT_CHANGED',
  comment: { ...commentNo(number), comment, revision },
});
const numbersOf = ({ comments }: ChannelState) => comments.map(({ number }) => number);
const countsOf = ({ commentCount, removedCount }: ChannelState) => [commentCount, removedCount];

test('an edit replaces the comment in its position, except by an earlier revision', () => {
  const channel = channelAfter(onChannel(1, 3, 3), changed(2, 'dos', 3), changed(2, 'uno'));
  const texts = channel.comments.map(({ comment }) => comment);
  assert.deepEqual(texts, ['comentario 1', 'dos', 'comentario 3']);
  assert.deepEqual(countsOf(channel), [3, 0]);
});

test('an edit of a comment that is not loaded changes nothing', () => {
  for (const state of [onChannel(11, 20, 40), after(onChannel(11, 20, 40), added(41))]) {
    for (const number of [10, 21, 40]) assert.equal(after(state, changed(number)), state);
  }
});

test('a removed comment is subtracted from the count once, and inserted and counted again when it is restored', () => {
  for (const number of [1, 2, 3]) {
    const without = after(onChannel(1, 3, 3), removed(number), removed(number));
    const others = [1, 2, 3].filter((other) => other !== number);
    assert.deepEqual(numbersOf(channelAfter(without)), others);
    assert.deepEqual(countsOf(channelAfter(without)), [2, 1]);
    const restored = channelAfter(without, changed(number));
    assert.deepEqual(numbersOf(restored), [1, 2, 3]);
    assert.deepEqual(countsOf(restored), [3, 0]);
  }
});

test('all comments of a page reappear when they are restored, and no comment beyond its edges', () => {
  const emptied = after(onChannel(11, 13, 40), removed(11), removed(12), removed(13));
  assert.deepEqual(numbersOf(channelAfter(emptied)), []);
  assert.deepEqual(
    [10, 11, 13, 14].map((number) => isRemoved(channelAfter(emptied), number)),
    [false, true, true, false],
  );
  const restored = channelAfter(emptied, ...[13, 11, 12, 10, 14].map((number) => changed(number)));
  assert.deepEqual(numbersOf(restored), [11, 12, 13]);
  assert.deepEqual(countsOf(restored), [40, 0]);
});

test('the comments of an emptied last page reappear between earlier ones and one that has arrived since', () => {
  const earlier: Action = {
    type: 'EARLIER_LISTED',
    channelId: 'c1',
    before: commentId('c1', 39),
    data: [commentNo(37), commentNo(38)],
    next: commentId('c1', 38),
    previous: commentId('c1', 37),
  };
  const emptied = after(onChannel(39, 40, 40), removed(39), removed(40), added(41));
  const channel = channelAfter(emptied, changed(39), changed(40), earlier);
  assert.deepEqual(numbersOf(channel), [37, 38, 39, 40, 41]);
});

test('a comment counts as removed when its number was assigned and is missing among the loaded ones', () => {
  for (const [channel, gone] of [
    [channelAfter(onChannel(3, 5, 8), removed(4)), 4],
    [channelAfter(onChannel(1, 3, 3), removed(3)), 3],
  ] as const) {
    const numbers = [1, 2, 3, 4, 5, 6, 8].filter((number) => isRemoved(channel, number));
    assert.deepEqual(numbers, [gone]);
  }
});

test('a reply shows that its comment was deleted or restored, and the beginning of an edited one only once it is fetched again', () => {
  const quote = { replyTo: 1, replyAutor: 'Lucía', replyExcerpt: 'comentario' };
  const state = after(onChannel(1, 2, 2), added(3, quote));
  const shown = (...actions: Action[]) => {
    const reply = channelAfter(state, ...actions).comments.at(-1);
    return [reply?.replyAutor, reply?.replyExcerpt];
  };
  assert.deepEqual(shown(removed(1)), ['', '']);
  assert.deepEqual(shown(removed(1), changed(1)), ['Lucía', '']);
  assert.deepEqual(shown(changed(1, 'otro comentario')), ['Lucía', '']);
  const thanked = changed(1, 'comentario 1');
  assert.deepEqual(shown(thanked), ['Lucía', 'comentario']);
  // The edited comment need not be loaded.
  const far = after(onChannel(51, 59, 59), added(60, { ...quote, replyTo: 2 }), changed(2));
  assert.equal(channelAfter(far).comments.at(-1)?.replyExcerpt, '');
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
  from,
  to,
  isEnd,
  hasLater,
});

test('refetched comments replace the shown ones, except those that arrived during the request and were not removed', () => {
  const state = after(onChannel(1, 3, 3), ...[4, 5, 6, 7].map((number) => added(number)));
  // The response was read after the sixth comment: the second, the fourth and the sixth were removed.
  const channel = channelAfter(state, refreshed([1, 3], [1, 3, 5], { count: 3, removedCount: 3 }));
  assert.deepEqual(numbersOf(channel), [1, 3, 5, 7]);
  assert.deepEqual(countsOf(channel), [4, 3]);
});

test('a refetched comment stays the same object if it is unchanged, and as this page has edited it in the meantime', () => {
  const state = after(onChannel(1, 2, 2), changed(2));
  const { comments } = channelAfter(state, refreshed([1, 2], [1, 2], { count: 2 }));
  assert.equal(comments[0], channelAfter(state).comments[0]);
  assert.equal(comments[1]?.comment, 'corregido');
});

test('a refetched page waits for later comments only while some are left', () => {
  const state = onChannel(1, 50, 60);
  const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
  const some = refreshed([1, 50], numbers, { count: 51, removedCount: 9, hasLater: true });
  assert.equal(channelAfter(state, some).moreAfter, commentId('c1', 50));
  const none = refreshed([1, 50], numbers, { count: 50, removedCount: 10 });
  assert.equal(channelAfter(state, none).moreAfter, null);
});

test('comments of a very long list that were not refetched are left to be loaded', () => {
  const part = refreshed([21, 30], [21, 30], { count: 60, isEnd: false, hasLater: true });
  const channel = channelAfter(onChannel(1, 60, 60), part);
  assert.deepEqual(numbersOf(channel), [21, 30]);
  const { moreBefore, moreAfter } = channel;
  assert.deepEqual([moreBefore, moreAfter], [commentId('c1', 21), commentId('c1', 30)]);
});
