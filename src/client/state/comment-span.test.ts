import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  after,
  channelAfter,
  channelWith,
  commentNo,
  commentsNo,
  onChannel,
} from '../../../test/client/state-examples.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { OpenPoll } from '../../shared/polls.ts';
import type { Action } from './actions.ts';
import { countLater, hasRange, lastLoaded } from './comment-span.ts';
import { type AppState, type ChannelState, initialState } from './state.ts';

const empty = initialState('/login', { page: 'login' });

const numbersOf = ({ comments }: ChannelState) => comments.map(({ number }) => number);
const numbers = (state: AppState) => numbersOf(channelAfter(state));
const spanAfter = (state: AppState, ...actions: Action[]) => {
  const { span } = channelAfter(state, ...actions);
  return [span.first, span.last];
};
const added = (number: number): Action => ({ type: 'ADD_COMMENT', comment: commentNo(number) });
const removed = (number: number): Action => ({ type: 'COMMENT_REMOVED', channelId: 'c1', number });
const changed = (number: number, comment = 'corregido', revision = 2): Action => ({
  type: 'COMMENT_CHANGED',
  comment: { ...commentNo(number), comment, revision },
});
const arrived = (first: number, last = first): Action => ({
  type: 'COMMENTS_ADDED',
  channelId: 'c1',
  comments: commentsNo(first, last),
});
const narrowed = (...inUse: number[]): Action => ({
  type: 'SPAN_NARROWED',
  channelId: 'c1',
  inUse,
});
/** A page of comments as a channel is opened with it. */
const loaded = (first: number, last: number, count: number): Action => ({
  type: 'CHANNEL_LOADED',
  channel: channelWith('c1', count, { comments: commentsNo(first, last) }),
  span: { first, last: last < count ? last : null },
});
/** The page after a number, requested when the given newest comment was known. */
const later = (
  afterNumber: number,
  last: number,
  { newest, isLast = true }: { newest: number; isLast?: boolean },
): Action => ({
  type: 'LATER_LISTED',
  channelId: 'c1',
  after: afterNumber,
  newest,
  data: commentsNo(afterNumber + 1, last),
  next: isLast ? null : commentId('c1', last),
  previous: null,
});

test('a comment that arrives out of order is sorted by number and not by letter', () => {
  const state = after(onChannel(1, 9, 9), added(11), added(10));
  assert.deepEqual(numbers(state).slice(-3), [9, 10, 11]);
  assert.equal(channelAfter(state).commentCount, 11);
});

test('a comment is only counted while comments before it are not loaded', () => {
  const { comments, commentCount, span } = channelAfter(onChannel(1, 50, 80), added(81));
  assert.deepEqual([comments.length, commentCount, span.last], [50, 81, 50]);
});

test('an own comment is added at once, and others before it in their places when they arrive', () => {
  const before = onChannel(1, 2, 2);
  const state = after(before, added(5));
  assert.deepEqual(numbers(state), [1, 2, 5]);
  assert.equal(
    channelAfter(state).changes,
    channelAfter(before).changes,
    'nothing is fetched again',
  );
  assert.deepEqual(numbers(after(state, arrived(3, 4))), [1, 2, 3, 4, 5]);
});

test('beyond 200 comments, the ones farthest from the reader are dropped, and the rest is unchanged', () => {
  const full = after(onChannel(1, 200, 200), arrived(201, 210));
  for (const [reading, expected] of [
    [208, [11, null]],
    [107, [7, 206]],
    [20, [1, 200]],
  ] as const) {
    const channel = channelAfter(full, narrowed(reading));
    assert.deepEqual([channel.span.first, channel.span.last], expected);
    assert.deepEqual([channel.comments.length, channel.commentCount], [200, 210]);
  }
  const state = onChannel(1, 200, 200);
  assert.equal(after(state, narrowed(1)), state);
});

test('a comment with the focus or the composer is not dropped', () => {
  const full = after(onChannel(1, 200, 200), arrived(201, 220));
  assert.deepEqual(spanAfter(full, narrowed(215, 15)), [15, null]);
  assert.deepEqual(spanAfter(full, narrowed(5, 210)), [1, 210]);
});

test('a page that such a comment makes twice as long counts new ones and leaves them to be loaded', () => {
  const state = after(onChannel(1, 200, 200), arrived(201, 400), narrowed(395, 1));
  const { comments, commentCount, span } = channelAfter(state, arrived(401));
  assert.deepEqual([comments.length, commentCount, span.last], [400, 401, 400]);
});

test('a comment is counted after removed ones by its number less theirs', () => {
  const comments = [...commentsNo(1, 10), ...commentsNo(31, 60)];
  const channel = channelWith('c1', 40, { comments, removedCount: 20 });
  const span = { first: 1, last: null };
  const state = after(empty, { type: 'CHANNEL_LOADED', channel, span }, added(61));
  assert.equal(channelAfter(state).commentCount, 41);
  assert.equal(lastLoaded(channelAfter(state)), 61);
});

test('a page of comments is appended by LATER_LISTED, up to the last page', () => {
  const some = after(onChannel(1, 50, 120), later(50, 100, { newest: 120, isLast: false }));
  assert.deepEqual([numbers(some).length, spanAfter(some)], [100, [1, 100]]);
  const all = channelAfter(some, added(121), later(100, 121, { newest: 120 }));
  assert.deepEqual([all.comments.length, all.span.last], [121, null]);
});

test('a page of comments is prepended by EARLIER_LISTED', () => {
  const earlier: Action = {
    type: 'EARLIER_LISTED',
    channelId: 'c1',
    before: 51,
    data: commentsNo(11, 50),
    next: null,
    previous: commentId('c1', 11),
  };
  const state = after(onChannel(51, 60, 60), earlier);
  assert.deepEqual([numbers(state)[0], numbers(state).length], [11, 50]);
  assert.deepEqual(spanAfter(state), [11, null]);
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
    const { commentCount, span } = channelAfter(start, arrived(101, 102), page);
    assert.deepEqual([commentCount, span.last], [102, 100], title);
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
  assert.deepEqual([channel.span.last, channel.comments.at(-1)?.number], [null, 62]);
});

test('a page of comments follows the last loaded comment after COMMENTS_MISSED', () => {
  for (const last of [4, 0]) {
    const missed: Action = { type: 'COMMENTS_MISSED', channelId: 'c1' };
    assert.deepEqual(spanAfter(onChannel(1, last, last), missed), [1, last]);
  }
});

test('the span tells whether the comments of an address are loaded', () => {
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

test('the span tells how many comments follow, at most if some may have been removed', () => {
  const some = onChannel(11, 40, 60);
  assert.deepEqual(countLater(channelAfter(some)), { count: 20, isExact: true });
  assert.deepEqual(countLater(channelAfter(some, removed(30))), { count: 20, isExact: true });
  for (const [first, expected] of [
    [1, { count: 17, isExact: true }],
    [11, { count: 20, isExact: false }],
  ] as const) {
    const channel = { ...channelAfter(onChannel(first, 40, 57)), removedCount: 3 };
    assert.deepEqual(countLater(channel), expected);
  }
});

test('an edit replaces the comment in its position, except by an earlier revision', () => {
  const channel = channelAfter(onChannel(1, 3, 3), changed(2, 'dos', 3), changed(2, 'uno'));
  const texts = channel.comments.map(({ comment }) => comment);
  assert.deepEqual(texts, ['comentario 1', 'dos', 'comentario 3']);
});

test('an edit of a comment that is not loaded changes nothing', () => {
  const state = after(onChannel(11, 20, 40), added(41));
  for (const number of [10, 21, 40]) assert.equal(after(state, changed(number)), state);
});

test('a removed comment is gone, and in its place again when it is restored; each time the span is asked for again', () => {
  for (const number of [1, 2, 3]) {
    const start = onChannel(1, 3, 3);
    const without = after(start, removed(number));
    assert.equal(after(without, removed(number)), without);
    const restored = after(without, changed(number));
    assert.deepEqual([numbers(without).length, numbers(restored)], [2, [1, 2, 3]]);
    const changes = [start, without, restored].map((state) => channelAfter(state).changes);
    assert.equal(new Set(changes).size, 3);
  }
});

test('all comments of a span reappear when they are restored, and none beyond its edges', () => {
  const emptied = after(onChannel(11, 13, 40), removed(11), removed(12), removed(13));
  assert.deepEqual(numbers(emptied), []);
  const restored = [13, 11, 12, 10, 14].map((number) => changed(number));
  assert.deepEqual(numbers(after(emptied, ...restored)), [11, 12, 13]);
});

const poll: OpenPoll = {
  channel: { _id: 'c1', name: 'Canal c1' },
  ...{ number: 2, title: '¿Qué vemos?', closesAt: '2026-12-01T10:00:00.000Z' },
};

/** The answer about a span that ended with `to`, read when `end` was the newest number. */
const refetched = (
  [from, to, end]: [number, number, number],
  answer: number[],
  {
    removedCount = end - answer.length,
    isEnd = true,
    polls,
  }: { removedCount?: number; isEnd?: boolean; polls?: OpenPoll[] } = {},
): Action => ({
  type: 'CHANNEL_REFETCHED',
  channel: channelWith('c1', end - removedCount, {
    comments: answer.map((number) => commentNo(number)),
    removedCount,
    ...(polls && { polls }),
  }),
  from,
  to,
  end,
  isEnd,
});

test('refetched comments replace the shown ones, except those that arrived during the request and were not removed', () => {
  const state = after(onChannel(1, 3, 3), arrived(4, 7));
  // The answer was read after the sixth comment: the second, the fourth and the sixth were removed.
  const channel = channelAfter(state, refetched([1, 3, 6], [1, 3, 5]));
  assert.deepEqual(numbersOf(channel), [1, 3, 5, 7]);
  assert.deepEqual([channel.commentCount, channel.removedCount], [4, 3]);
});

test('a refetched comment that has not arrived yet is left to be added, and one outside the span as well', () => {
  const state = after(onChannel(11, 20, 20), refetched([11, 20, 22], [11, 12, 21, 22]));
  assert.deepEqual(numbers(state), [11, 12]);
  assert.equal(channelAfter(state).commentCount, 4);
  assert.deepEqual(
    numbers(after(onChannel(13, 14, 14), refetched([11, 14, 14], [11, 13, 14]))),
    [13, 14],
  );
});

test('a refetched channel has no open polls and dates but those of the answer', () => {
  const state = after(onChannel(1, 2, 2), refetched([1, 2, 2], [1, 2], { polls: [poll] }));
  assert.deepEqual(channelAfter(state).polls, [poll]);
  const { polls, upcoming } = channelAfter(state, refetched([1, 2, 2], [1, 2]));
  assert.deepEqual([polls, upcoming], [[], []]);
});

test('comments that were loaded while the span was refetched stay', () => {
  const moved = after(onChannel(101, 150, 200), later(150, 200, { newest: 200 }));
  const answer = commentsNo(101, 150).map(({ number }) => number);
  const state = after(
    moved,
    refetched([101, 150, 150], answer.slice(1), { removedCount: 0, isEnd: false }),
  );
  assert.deepEqual([numbers(state)[0], numbers(state).length], [102, 99]);
});

test('a refetched comment stays the same object if it is unchanged, and as this page has edited it in the meantime', () => {
  const state = after(onChannel(1, 2, 2), changed(2));
  const { comments } = channelAfter(state, refetched([1, 2, 2], [1, 2]));
  assert.equal(comments[0], channelAfter(state).comments[0]);
  assert.equal(comments[1]?.comment, 'corregido');
});

test('a refetched span reaches to the newest comment once no other is left after it', () => {
  const answer = commentsNo(1, 50).map(({ number }) => number);
  const some = refetched([1, 50, 50], answer, { removedCount: 0, isEnd: false });
  assert.deepEqual(spanAfter(onChannel(1, 50, 60), some), [1, 50]);
  const none = refetched([1, 50, 60], answer);
  assert.deepEqual(spanAfter(onChannel(1, 50, 60), none), [1, null]);
  assert.deepEqual(spanAfter(onChannel(1, 50, 60), arrived(61), none), [1, 50]);
});

test('a refetched channel has no latest files but those of the answer', () => {
  const file = { url: '/files/files/1/acta.pdf', name: 'acta.pdf', size: 1, type: 'x/y' };
  const of = { channel: { _id: 'c1', name: '' }, number: 9, autor: '', createdAt: '' };
  const channel = channelWith('c1', 2, {
    comments: commentsNo(1, 2),
    documents: [{ ...file, ...of }],
  });
  const page = { page: 'channel', channel, next: null, previous: null, range: {} } as const;
  const state = initialState('/channel/c1', page);
  assert.equal(channelAfter(state).documents?.length, 1);
  assert.deepEqual(channelAfter(state, refetched([1, 2, 2], [1, 2])).documents, []);
});
