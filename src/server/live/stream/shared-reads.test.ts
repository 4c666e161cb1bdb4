import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareReads } from './shared-reads.ts';

const none = { changes: [], counts: undefined, comments: [] };
const from = (number: number, changeNumber = 0) => ({ number, changeNumber });

test('requests with the same arguments share a query until it starts; later ones get a new query', async () => {
  const queries: string[] = [];
  const read = shareReads(async (channelId, { number, changeNumber }) => {
    queries.push(`${channelId} ${number} ${changeNumber}`);
    return none;
  });
  const [one, same] = [read('a', from(1)), read('a', from(1))];
  assert.equal(one, same);
  await Promise.all([read('a', from(2)), read('b', from(1)), read('a', from(1, 1)), one]);
  assert.deepEqual(queries, ['a 1 0', 'a 2 0', 'b 1 0', 'a 1 1']);
  await read('a', from(1));
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
  const first = [1, 2, 3, 4].map((number) => read('a', from(number)));
  const waiting = Array.from({ length: 250 }, () => read('a', from(0)));
  while (underWay.length < 4) await new Promise(setImmediate);
  assert.deepEqual(queries, [1, 2, 3, 4]);
  for (const end of underWay) end();
  await Promise.all(first);
  while (underWay.length < 5) await new Promise(setImmediate);
  underWay.at(-1)?.();
  await Promise.all(waiting);
  assert.deepEqual(queries, [1, 2, 3, 4, 0]);
});

test('starts one query at a time, with turns of the event loop for other work between them', async () => {
  let turn = 0;
  const turns: number[] = [];
  const read = shareReads(async () => {
    turns.push(turn);
    return none;
  });
  const reads = Array.from({ length: 12 }, (_, number) => read('a', from(number)));
  while (turns.length < reads.length) {
    await new Promise(setImmediate);
    turn++;
  }
  const inOneTurn = Map.groupBy(turns, (number) => number).values();
  assert.equal(Math.max(...inOneTurn.map(({ length }) => length)), 1);
});
