import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentId } from '../../shared/comment-id.ts';
import { InvalidCursor } from '../database/errors.ts';
import {
  formatChannelCursor,
  formatIdCursor,
  formatTimedCursor,
  parseChannelCursor,
  parseCommentCursor,
  parseIdCursor,
  parseTimedCursor,
} from './cursors.ts';

const id = '0192a1b2-0000-7000-8000-0123456789ab';

test('a formatted cursor parses back to the same cursor, in its own list and order only', () => {
  const cursors = [
    { order: 'comments', commentCount: 12, id },
    { order: 'activity', activeAtMs: 1_700_000_000_000, id },
    { order: 'new', id },
  ] as const;
  for (const cursor of cursors) {
    const after = formatChannelCursor(cursor);
    assert.deepEqual(parseChannelCursor(cursor.order, after), cursor);
    for (const { order } of cursors.filter((other) => other !== cursor))
      assert.throws(() => parseChannelCursor(order, after), InvalidCursor, `${after} as ${order}`);
  }
  const atMs = 1_700_000_000_000;
  const timed = { atMs, channelId: id, number: 7 };
  for (const [prefix, other] of [
    ['', 'deleted_'],
    ['deleted_', ''],
  ] as const) {
    const after = formatTimedCursor(prefix, timed);
    assert.deepEqual(parseTimedCursor(prefix, after), timed);
    assert.throws(() => parseTimedCursor(other, after), InvalidCursor, after);
  }
  assert.deepEqual(parseIdCursor(formatIdCursor({ atMs, id })), { atMs, id });
  // 0 is the position before the first comment.
  for (const number of [0, 7]) assert.equal(parseCommentCursor(id, commentId(id, number)), number);
});

test('malformed cursors are rejected', () => {
  for (const after of [
    '',
    '_',
    `1_${'0-'.repeat(18)}`,
    `1_${id}x`,
    `-1_${id}`,
    `1e3_${id}`,
    `1_${id}' or 1=1`,
  ]) {
    assert.throws(() => parseChannelCursor('comments', after), InvalidCursor, after);
    assert.throws(() => parseIdCursor(after), InvalidCursor, after);
    for (const prefix of ['', 'deleted_'] as const) {
      assert.throws(() => parseTimedCursor(prefix, after), InvalidCursor, after);
    }
  }
  for (const after of [
    '',
    id,
    `.${id}-1`,
    `0123.${id}-1`,
    `${id}-01`,
    `${id}--1`,
    `${id}-1e3`,
    `${id}-1.`,
    `${id}-1.01`,
    `${id}-1.1.1`,
    `${id}-1.9999999999`,
    `${id}-9999999999`,
    'x-1',
  ]) {
    assert.throws(() => parseCommentCursor(id, after), InvalidCursor, after);
  }
});
