import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../api-error.ts';
import { openCounts } from './open-counts.ts';

const bounds = { perKey: 2, total: 3, detail: 'Cierra una pestaña.', retryAfterSeconds: 7 };

const refusal = (code: string) => (error: unknown) => {
  assert.ok(error instanceof ApiError);
  assert.equal(error.code, code);
  assert.equal(error.headers['retry-after'], '7');
  return true;
};

test('refuses a key that has as many open as it may, and no other key', () => {
  const open = openCounts(bounds);
  const close = open('a');
  open('a');
  assert.throws(() => open('a'), refusal('too_many_requests'));
  open('b');
  close();
  open('a');
});

test('refuses every key when the total is reached', () => {
  const open = openCounts(bounds);
  for (const key of ['a', 'b', 'c']) open(key);
  assert.throws(() => open('d'), refusal('busy'));
});

test('closing twice counts once', () => {
  const open = openCounts({ ...bounds, perKey: 3 });
  const close = open('a');
  open('b');
  open('c');
  close();
  close();
  open('a');
  assert.throws(() => open('a'), refusal('busy'));
});
