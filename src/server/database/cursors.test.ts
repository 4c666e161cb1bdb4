import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentId } from '../../shared/comment-id.ts';
import { Refusal } from '../errors.ts';
import { formatChannelCursor, parseChannelCursor, parseCommentCursor } from './cursors.ts';

const id = '0192a1b2-0000-7000-8000-0123456789ab';

test('a channel cursor comes back as it went', () => {
  const cursor = { commentCount: 12, id };
  assert.deepEqual(parseChannelCursor(formatChannelCursor(cursor)), cursor);
});

test('a comment cursor is a comment’s id, or the place before the first', () => {
  assert.equal(parseCommentCursor(id, commentId(id, 7)), 7);
  assert.equal(parseCommentCursor(id, commentId(id, 0)), 0);
});

test('anything else is refused, not guessed', () => {
  for (const after of [
    '',
    '_',
    `1_${'0-'.repeat(18)}`,
    `1_${id}x`,
    `-1_${id}`,
    `1e3_${id}`,
    `1_${id}' or 1=1`,
  ]) {
    assert.throws(() => parseChannelCursor(after), Refusal, after);
  }
  for (const after of ['', id, `${id}-01`, `${id}--1`, `${id}-1e3`, `${id}-9999999999`, 'x-1']) {
    assert.throws(() => parseCommentCursor(id, after), Refusal, after);
  }
});
