import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareReads } from './shared-reads.ts';

const none = { changes: [], counts: undefined, comments: [] };
const from = (number: number, changeNumber = 0) => ({ number, changeNumber });
const isWaiting = () => true;

test('requests with the same arguments share a query until it starts; later ones get a new query', async () => {
  const queries: string[] = [];
  const read = shareReads(async (channelId, { number, changeNumber }) => {
    queries.push(`${channelId} ${number} ${changeNumber}`);
    return none;
  });
  const [one, same] = [read('a', from(1), isWaiting), read('a', from(1), isWaiting)];
  assert.equal(one, same);
  await Promise.all([
    read('a', from(2), isWaiting),
    read('b', from(1), isWaiting),
    read('a', from(1, 1), isWaiting),
    one,
  ]);
  assert.deepEqual(queries, ['a 1 0', 'a 2 0', 'b 1 0', 'a 1 1']);
  await read('a', from(1), isWaiting);
  assert.equal(queries.length, 5);
});

test('runs at most four queries at once, and waiting readers share one', async () => {
  const underWay: (() => void)[] = [];
  const queries: number[] = [];
  const read = shareReads(async (_channelId, { number }) => {
    queries.push(number);
    await new Promise<void>((resolve) => underWay.push(resolve));
    return none;
  });
  const first = [1, 2, 3, 4].map((number) => read('a', from(number), isWaiting));
  const waiting = Array.from({ length: 250 }, () => read('a', from(0), isWaiting));
  while (underWay.length < 4) await new Promise(setImmediate);
  assert.deepEqual(queries, [1, 2, 3, 4]);
  for (const end of underWay) end();
  await Promise.all(first);
  while (underWay.length < 5) await new Promise(setImmediate);
  underWay.at(-1)?.();
  await Promise.all(waiting);
  assert.deepEqual(queries, [1, 2, 3, 4, 0]);
});

test('skips a query whose readers have left, and runs it for a reader that comes after them', async () => {
  const order: number[] = [];
  const read = shareReads(async (_channelId, { number }) => {
    order.push(number);
    return none;
  });
  let hasLeft = false;
  const isStillThere = () => !hasLeft;
  const first = read('a', from(0), isWaiting);
  for (let number = 1; number < 100; number++) void read('a', from(number), isStillThere);
  hasLeft = true;
  await Promise.all([first, read('a', from(50), isWaiting)]);
  assert.deepEqual(order, [0, 50]);
  await read('a', from(60), isWaiting);
  assert.deepEqual(order, [0, 50, 60]);
});
