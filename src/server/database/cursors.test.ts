import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentId } from '../../shared/comment-id.ts';
import { eventId } from '../../shared/live.ts';
import {
  formatChannelCursor,
  parseChannelCursor,
  parseCommentCursor,
  parseListCursor,
} from './cursors.ts';
import { InvalidCursor } from './errors.ts';

const id = '0192a1b2-0000-7000-8000-0123456789ab';

test('a formatted channel cursor parses back to the same cursor', () => {
  const cursor = { commentCount: 12, id };
  assert.deepEqual(parseChannelCursor(formatChannelCursor(cursor)), cursor);
});

test('a comment cursor may be a comment id, the position before the first comment, or an event id', () => {
  const generation = '0123456789abcdef';
  const plain = { number: 7, generation: undefined };
  assert.deepEqual(parseCommentCursor(id, commentId(id, 7)), plain);
  assert.deepEqual(parseCommentCursor(id, commentId(id, 0)), { ...plain, number: 0 });
  const cursor = eventId(generation, commentId(id, 7));
  assert.deepEqual(parseCommentCursor(id, cursor), { number: 7, generation });
  assert.equal(parseListCursor(id, cursor, generation), 7);
  assert.equal(parseListCursor(id, commentId(id, 7), generation), 7);
  assert.throws(() => parseListCursor(id, cursor, 'fedcba9876543210'), InvalidCursor);
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
    assert.throws(() => parseChannelCursor(after), InvalidCursor, after);
  }
  for (const after of [
    '',
    id,
    `.${id}-1`,
    `0123.${id}-1`,
    `${id}-01`,
    `${id}--1`,
    `${id}-1e3`,
    `${id}-9999999999`,
    'x-1',
  ]) {
    assert.throws(() => parseCommentCursor(id, after), InvalidCursor, after);
  }
});
