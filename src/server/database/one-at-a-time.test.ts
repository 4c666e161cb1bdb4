import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Forum } from '../../../test/forum.ts';
import { unlessUnderWay } from './one-at-a-time.ts';

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
