import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareReads } from './shared-reads.ts';

const none = { changes: [], counts: undefined, comments: [] };
const from = (number: number, changeNumber = 0) => ({ number, changeNumber });
const reader = { address: '192.0.2.1', isWaiting: () => true };

test('requests with the same arguments share a query until it starts; later ones get a new query', async () => {
  const queries: string[] = [];
  const read = shareReads(async (channelId, { number, changeNumber }) => {
    queries.push(`${channelId} ${number} ${changeNumber}`);
    return none;
  });
  const [one, same] = [read('a', from(1), reader), read('a', from(1), reader)];
  assert.equal(one, same);
  await Promise.all([
    read('a', from(2), reader),
    read('b', from(1), reader),
    read('a', from(1, 1), reader),
    one,
  ]);
  assert.deepEqual(queries, ['a 1 0', 'a 2 0', 'b 1 0', 'a 1 1']);
  await read('a', from(1), reader);
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
  const first = [1, 2, 3, 4].map((number) => read('a', from(number), reader));
  const waiting = Array.from({ length: 250 }, () => read('a', from(0), reader));
  while (underWay.length < 4) await new Promise(setImmediate);
  assert.deepEqual(queries, [1, 2, 3, 4]);
  for (const end of underWay) end();
  await Promise.all(first);
  while (underWay.length < 5) await new Promise(setImmediate);
  underWay.at(-1)?.();
  await Promise.all(waiting);
  assert.deepEqual(queries, [1, 2, 3, 4, 0]);
});

test('starts one query at a time, and lets the event loop run other work in between', async () => {
  let turn = 0;
  const turns: number[] = [];
  const read = shareReads(async () => {
    turns.push(turn);
    return none;
  });
  const reads = Array.from({ length: 12 }, (_, number) => read('a', from(number), reader));
  while (turns.length < reads.length) {
    await new Promise(setImmediate);
    turn++;
  }
  const inOneTurn = Map.groupBy(turns, (number) => number).values();
  assert.equal(Math.max(...inOneTurn.map(({ length }) => length)), 1);
});

test('a reader waits for at most one query of an address that waits for a hundred, even for the same query', async () => {
  const order: number[] = [];
  const read = shareReads(async (_channelId, { number }) => {
    order.push(number);
    return none;
  });
  const many = Array.from({ length: 100 }, (_, number) => read('a', from(number), reader));
  await Promise.all(
    [99, 100].map((number) => read('a', from(number), { ...reader, address: '192.0.2.2' })),
  );
  assert.deepEqual(order.toSorted((a, b) => a - b).slice(-2), [99, 100]);
  assert.ok(order.length <= 5, `${order}`);
  await Promise.all(many);
  assert.equal(order.length, 101);
});

test('skips a query whose readers have left, and runs it for a reader that comes after them', async () => {
  const order: number[] = [];
  const read = shareReads(async (_channelId, { number }) => {
    order.push(number);
    return none;
  });
  let hasLeft = false;
  const leaving = { ...reader, isWaiting: () => !hasLeft };
  const first = read('a', from(0), leaving);
  for (let number = 1; number < 100; number++) void read('a', from(number), leaving);
  hasLeft = true;
  await Promise.all([first, read('a', from(50), reader)]);
  assert.deepEqual(order, [0, 50]);
  await read('a', from(60), reader);
  assert.deepEqual(order, [0, 50, 60]);
});
