import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addNews, raiseReads } from './reads.ts';

describe('reads', () => {
  const newestOf = () => 50;
  const level = 'mine' as const;
  const known = { c1: { number: 5, unread: 3, level }, c2: { number: 1, unread: 100, level } };

  test('a response replaces the known positions in its channels', () => {
    const answered = { c1: { number: 5, unread: 4, level }, c3: { number: 0, unread: 1, level } };
    assert.deepEqual(addNews(known, answered), { ...known, ...answered });
  });

  test('a late response does not undo what was read during the request', () => {
    assert.deepEqual(addNews(known, { c1: { number: 4, unread: 4, level } }), known);
  });

  test('a raised position reduces the number of unread comments', () => {
    assert.deepEqual(raiseReads(known, [{ channelId: 'c1', number: 7 }], newestOf).c1, {
      number: 7,
      unread: 1,
      level,
    });
    assert.equal(raiseReads(known, [{ channelId: 'c1', number: 20 }], newestOf).c1?.unread, 0);
  });

  test('the number of unread comments beyond the limit stays until the server counts again', () => {
    assert.deepEqual(raiseReads(known, [{ channelId: 'c2', number: 9 }], newestOf).c2, {
      number: 9,
      unread: 100,
      level,
    });
  });

  test('nothing is unread once the newest comment is read', () => {
    const read = raiseReads(known, [{ channelId: 'c2', number: 50 }], newestOf);
    assert.deepEqual(read.c2, { number: 50, unread: 0, level });
  });

  test('a channel visited for the first time has nothing unread', () => {
    assert.deepEqual(raiseReads({}, [{ channelId: 'c9', number: 0 }], newestOf), {
      c9: { number: 0, unread: 0, level },
    });
  });

  test('a smaller number changes nothing', () => {
    assert.equal(raiseReads(known, [{ channelId: 'c1', number: 5 }], newestOf), known);
    assert.equal(raiseReads(known, [{ channelId: 'c1', number: 2 }], newestOf), known);
  });
});
