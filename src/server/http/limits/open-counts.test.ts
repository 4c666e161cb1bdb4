import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCounts } from './open-counts.ts';

const bounds = { perKey: 2, total: 3, detail: 'Cierra una pestaña.', retryAfterSeconds: 7 };
const headers = { 'retry-after': '7' };

test('refuses a key that has as many open as it may, and every key when the total is reached', () => {
  const open = openCounts(bounds);
  const close = open('a');
  open('a');
  assert.throws(() => open('a'), { code: 'too_many_requests', detail: bounds.detail, headers });
  open('b');
  assert.throws(() => open('c'), { code: 'busy', headers });
  close();
  open('a');
});

test('closing twice counts once', () => {
  const open = openCounts({ ...bounds, perKey: 3 });
  const close = open('a');
  open('b');
  open('c');
  close();
  close();
  open('a');
  assert.throws(() => open('a'), { code: 'busy' });
});
