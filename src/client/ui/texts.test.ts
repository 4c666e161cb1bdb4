import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentTexts } from '../conversation/comment-texts.ts';
import { texts } from './texts.ts';

test('one is counted in the singular, and thousands are set apart', () => {
  assert.deepEqual([texts.pending(1), texts.pending(2)], ['1 pendiente', '2 pendientes']);
  assert.equal(texts.repliesTo(1, 'Ana'), '1 respuesta a Ana');
  assert.match(texts.repliesTo(12_000, 'Ana'), /^12\s000 respuestas a Ana$/);
  assert.equal(commentTexts.queuedFiles(1), 'Con 1 archivo');
  assert.equal(commentTexts.queuedFiles(3), 'Con 3 archivos');
});
