import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareReads } from './shared-reads.ts';

test('requests with the same arguments share a query until it starts; later ones get a new query', async () => {
  const queries: string[] = [];
  const read = shareReads(async (channelId, afterNumber) => {
    queries.push(`${channelId} ${afterNumber}`);
    return [];
  });
  const [one, same] = [read('a', 1), read('a', 1)];
  assert.equal(one, same);
  await Promise.all([read('a', 2), read('b', 1), one]);
  assert.deepEqual(queries, ['a 1', 'a 2', 'b 1']);
  await read('a', 1);
  assert.equal(queries.length, 4);
});

test('runs at most four queries at once, and waiting readers share one', async () => {
  const underWay: (() => void)[] = [];
  const queries: number[] = [];
  const read = shareReads(async (_channelId, afterNumber) => {
    queries.push(afterNumber);
    await new Promise<void>((resolve) => underWay.push(resolve));
    return [];
  });
  const first = [1, 2, 3, 4].map((number) => read('a', number));
  const waiting = Array.from({ length: 250 }, () => read('a', 0));
  await new Promise(setImmediate);
  assert.deepEqual(queries, [1, 2, 3, 4]);
  for (const end of underWay) end();
  await Promise.all(first);
  await new Promise(setImmediate);
  underWay.at(-1)?.();
  await Promise.all(waiting);
  assert.deepEqual(queries, [1, 2, 3, 4, 0]);
});
