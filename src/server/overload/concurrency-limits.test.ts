import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../http/api-error.ts';
import { ConcurrencyLimit } from './concurrency-limits.ts';

const bounds = { perKey: 2, total: 3, detail: 'Cierra una pestaña.', retryAfterSeconds: 7 };

const refusal = (code: string, detail: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ApiError);
  assert.equal(error.code, code);
  assert.match(error.detail ?? '', detail);
  assert.equal(error.headers['retry-after'], '7');
  return true;
};

test('rejects a key that has used up its own slots, and no other key', () => {
  const limit = new ConcurrencyLimit(bounds);
  const release = limit.acquire('a');
  limit.acquire('a');
  assert.throws(() => limit.acquire('a'), refusal('too_many_requests', /^Cierra una pestaña\.$/));
  limit.acquire('b');
  release();
  limit.acquire('a');
});

test('rejects every key when the total is reached', () => {
  const limit = new ConcurrencyLimit(bounds);
  for (const key of ['a', 'b', 'c']) limit.acquire(key);
  assert.throws(() => limit.acquire('d'), refusal('busy', /demasiada gente/));
});

test('releasing a slot twice frees it once', () => {
  const limit = new ConcurrencyLimit({ ...bounds, perKey: 3 });
  const release = limit.acquire('a');
  limit.acquire('b');
  limit.acquire('c');
  release();
  release();
  limit.acquire('a');
  assert.throws(() => limit.acquire('a'), refusal('busy', /demasiada gente/));
});
