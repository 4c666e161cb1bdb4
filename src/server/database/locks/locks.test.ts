import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';
import { lockKeys } from '../postgres/advisory-lock.ts';
import { tryWithLock, withLock } from './locks.ts';

test('no two locks have the same key', () => {
  const keys = Object.values(lockKeys);
  assert.deepEqual([...new Set(keys)], keys);
});

test('with SQLite, tryWithLock skips work while the lock is held and withLock waits for it', async () => {
  await using forum = await Forum.start('sqlite');
  const order: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = tryWithLock(forum.services, () => promise.then(() => order.push('first')));
  assert.equal(await tryWithLock(forum.services, async () => 'both'), undefined);
  const second = withLock(forum.services, async () => ({ length: order.push('second') }));
  resolve();
  await Promise.all([first, second]);
  assert.deepEqual(order, ['first', 'second']);
  await assert.rejects(tryWithLock(forum.services, () => Promise.reject(new Error('failed'))));
  assert.equal(await tryWithLock(forum.services, async () => 'again'), 'again');
});

test('with PostgreSQL, only one of two processes holds the lock at a time', async () => {
  const first = await Forum.start('postgres');
  const second = await first.another();
  try {
    const during = await tryWithLock(first.services, () =>
      tryWithLock(second.services, async () => 'both'),
    );
    assert.equal(during, undefined);
    assert.equal(await tryWithLock(second.services, async () => 'second'), 'second');
    await assert.rejects(tryWithLock(second.services, () => Promise.reject(new Error('failed'))));
    assert.equal(await tryWithLock(first.services, async () => 'first'), 'first');
  } finally {
    await second.stop();
    await first.stop();
  }
});
