import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNews, joinNews, raiseReads } from './reads.ts';
import { noNews } from './state.ts';

const newestOf = () => 50;
const level = 'mine' as const;
const known = { c1: { number: 5, unread: 3, level }, c2: { number: 1, unread: 100, level } };

test('the news replace the known positions in their channels, except where the user has read further in the meantime', () => {
  const late = { number: 4, unread: 4, level };
  const answered = { c2: { number: 1, unread: 4, level }, c3: { number: 0, unread: 1, level } };
  assert.deepEqual(addNews(known, { ...answered, c1: late }), { c1: known.c1, ...answered });
  assert.deepEqual(addNews(known, { c1: { ...known.c1, unread: 9 } }).c1?.unread, 9);
});

test('reading reduces the number of unread comments, unless the server counts no further', () => {
  for (const [channelId, number, unread] of [
    ['c1', 7, 1],
    ['c1', 20, 0],
    ['c2', 9, 100],
    // Nothing is unread after the newest comment, nor in a channel that is visited for the first time.
    ['c2', 50, 0],
    ['c9', 0, 0],
  ] as const) {
    const raised = raiseReads(known, [{ channelId, number }], newestOf, 'mine');
    assert.deepEqual(raised, { ...known, [channelId]: { number, unread, level } });
  }
});

test('reading leaves what is known of the last comment', () => {
  const last = { autor: 'Marga', excerpt: 'Mañana no hay' };
  const before = { c1: { ...known.c1, last } };
  const { c1 } = raiseReads(before, [{ channelId: 'c1', number: 7 }], newestOf, 'mine');
  assert.deepEqual(c1, { number: 7, unread: 1, level, last });
});

test('a position that is not beyond the known one changes nothing', () => {
  for (const number of [5, 2]) {
    assert.equal(raiseReads(known, [{ channelId: 'c1', number }], newestOf, 'mine'), known);
  }
});

test('answers about different channels are joined', () => {
  const first = { ...noNews, reads: { c1: known.c1 }, newChannels: ['c3'] };
  const second = {
    ...noNews,
    reads: { c2: known.c2 },
    newChannels: ['c4'],
    follow: 'all' as const,
  };
  assert.deepEqual(joinNews(first, second), {
    ...noNews,
    reads: { c1: known.c1, c2: known.c2 },
    newChannels: ['c3', 'c4'],
    follow: 'all',
  });
});
