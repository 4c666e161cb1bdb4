import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairSemaphore } from './fair-semaphore.ts';

test('one caller’s many keep another waiting for one of them only', async () => {
  const turns = new FairSemaphore(1, 100, () => new Error('full'));
  const order: string[] = [];
  const ask = (key: string) => turns.run(key, () => void order.push(key));
  await Promise.all([...Array.from({ length: 10 }, () => ask('a')), ask('b'), ask('b')]);
  assert.equal(order.join(''), 'aababaaaaaaa');
});

test('a caller’s own queue is bounded, and no other caller’s', async () => {
  const turns = new FairSemaphore(1, 2, () => new Error('full'));
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = [1, 2, 3].map(() => turns.run('a', () => promise));
  await assert.rejects(
    turns.run('a', () => {}),
    /full/,
  );
  const other = turns.run('b', () => 'b');
  resolve();
  assert.equal(await other, 'b');
  await Promise.all(first);
});

test('work that takes several places waits for all of them', async () => {
  const turns = new FairSemaphore(2, 10, () => new Error('full'));
  let running = 0;
  let most = 0;
  const work = (places: number) => async () => {
    running += places;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= places;
  };
  await Promise.all([1, 2, 1, 2, 1].map((places) => turns.run(`${places}`, work(places), places)));
  assert.equal(most, 2);
});

test('what throws gives its place back', async () => {
  const turns = new FairSemaphore(1, 10, () => new Error('full'));
  await assert.rejects(
    turns.run('a', () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.equal(await turns.run('a', () => 'done'), 'done');
});
