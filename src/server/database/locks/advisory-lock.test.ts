import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum.ts';
import { afterOthers, unlessUnderWay } from './advisory-lock.ts';

test('of two at work on one SQLite, one clears away or copies, and the other waits for it', async () => {
  const forum = await Forum.start('sqlite');
  try {
    const order: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = unlessUnderWay(forum.deps, () => promise.then(() => order.push('first')));
    assert.equal(await unlessUnderWay(forum.deps, async () => 'both'), undefined);
    const second = afterOthers(forum.deps, async () => ({ length: order.push('second') }));
    resolve();
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first', 'second']);
    await assert.rejects(unlessUnderWay(forum.deps, () => Promise.reject(new Error('failed'))));
    assert.equal(await unlessUnderWay(forum.deps, async () => 'again'), 'again');
  } finally {
    await forum.stop();
  }
});

test('of two processes on one PostgreSQL only one keeps house, and the next time either may', async () => {
  const first = await Forum.start('postgres');
  const second = await first.another();
  try {
    const during = await unlessUnderWay(first.deps, () =>
      unlessUnderWay(second.deps, async () => 'both'),
    );
    assert.equal(during, undefined);
    assert.equal(await unlessUnderWay(second.deps, async () => 'second'), 'second');
    await assert.rejects(unlessUnderWay(second.deps, () => Promise.reject(new Error('failed'))));
    assert.equal(await unlessUnderWay(first.deps, async () => 'first'), 'first');
  } finally {
    await second.stop();
    await first.stop();
  }
});
