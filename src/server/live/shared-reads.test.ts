import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareReads } from './shared-reads.ts';

test('who asks the same at the same moment shares one query; who asks later gets a new one', async () => {
  const queries: string[] = [];
  const read = shareReads(async (channelId, afterNumber) => {
    queries.push(`${channelId} ${afterNumber}`);
    return { data: [], next: null };
  });
  const [one, same] = [read('a', 1), read('a', 1)];
  assert.equal(one, same);
  await Promise.all([read('a', 2), read('b', 1), one]);
  assert.deepEqual(queries, ['a 1', 'a 2', 'b 1']);
  await read('a', 1);
  assert.equal(queries.length, 4);
});
