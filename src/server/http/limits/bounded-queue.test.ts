import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimit } from './bounded-queue.ts';

test('work beyond the limit waits, and beyond the queue is refused', async () => {
  const run = createLimit(1, 1);
  const { promise: isFinished, resolve: finish } = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = run(async () => {
    await isFinished;
    done.push('first');
  });
  const second = run(async () => done.push('second'));
  await assert.rejects(
    run(async () => done.push('third')),
    { code: 'unavailable', headers: { 'retry-after': '5' } },
  );
  finish();
  await Promise.all([first, second]);
  assert.deepEqual(done, ['first', 'second']);
  await run(async () => done.push('fourth'));
  assert.equal(done.at(-1), 'fourth');
});

test('failed work makes room for the next', async () => {
  const run = createLimit(1);
  const failed = assert.rejects(
    run(() => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await run(async () => 'done'), 'done');
  await failed;
});
