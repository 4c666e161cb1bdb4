import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairSemaphore } from './fair-semaphore.ts';

const refusal = () => new Error('refused');

test('a caller waits for at most one request of a caller with many', async () => {
  const semaphore = new FairSemaphore(1, 100, refusal);
  const order: string[] = [];
  const run = (key: string) => semaphore.run(key, () => void order.push(key));
  await Promise.all([...Array.from({ length: 10 }, () => run('a')), run('b'), run('b')]);
  assert.equal(order.join(''), 'aababaaaaaaa');
});

test('a full queue of one caller rejects that caller only', async () => {
  const semaphore = new FairSemaphore(1, 2, refusal);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = [1, 2, 3].map(() => semaphore.run('a', () => promise));
  await assert.rejects(
    semaphore.run('a', () => {}),
    /refused/,
  );
  const other = semaphore.run('b', () => 'b');
  resolve();
  assert.equal(await other, 'b');
  await Promise.all(first);
});

test('work that needs several slots waits for all of them', async () => {
  const semaphore = new FairSemaphore(2, 10, refusal);
  let running = 0;
  let most = 0;
  const work = (slots: number) => async () => {
    running += slots;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= slots;
  };
  await Promise.all(
    [1, 2, 1, 2, 1].map((slots) => semaphore.run(`${slots}`, work(slots), { slots })),
  );
  assert.equal(most, 2);
});

test('work that throws releases its slot', async () => {
  const semaphore = new FairSemaphore(1, 10, refusal);
  await assert.rejects(
    semaphore.run('a', () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.equal(await semaphore.run('a', () => 'done'), 'done');
});

test('work that is no longer needed is refused in its turn, without delaying the next', async () => {
  const semaphore = new FairSemaphore(1, 1000, refusal);
  let isNeeded = true;
  const started: number[] = [];
  const works = Array.from({ length: 1000 }, (_, number) =>
    semaphore.run('a', () => started.push(number), { isNeeded: () => isNeeded }),
  );
  isNeeded = false;
  let turns = 0;
  const countTurns = () => {
    turns++;
    setImmediate(countTurns).unref();
  };
  countTurns();
  const results = await Promise.allSettled(works);
  assert.deepEqual(started, [0]);
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 999);
  assert.ok(turns < 100, `${turns} turns`);
});

test('one piece of work starts in each turn of the event loop', async () => {
  const semaphore = new FairSemaphore(4, 10, refusal);
  let turn = 0;
  const turns: number[] = [];
  const count = () => {
    turn++;
    if (turns.length < 8) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(Array.from({ length: 8 }, () => semaphore.run('a', () => turns.push(turn))));
  assert.equal(new Set(turns).size, 8, turns.join());
});
