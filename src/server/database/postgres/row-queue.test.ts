import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailable } from '../errors.ts';
import { rowQueues } from './row-queue.ts';

/** Creates work that stays pending until the test settles it. */
function openWork() {
  const started: string[] = [];
  const endings: PromiseWithResolvers<string>[] = [];
  const work = (name: string) => () => {
    started.push(name);
    const ending = Promise.withResolvers<string>();
    endings.push(ending);
    return ending.promise;
  };
  return { started, endings, work };
}

const nextLoop = () => new Promise(setImmediate);

test('runs the writers of a row one after the other, and does not delay writers of other rows', async () => {
  const enqueue = rowQueues();
  const { started, endings, work } = openWork();
  const done = ['a', 'b'].map((name) => enqueue('row', work(name)));
  done.push(enqueue('other row', work('c')));
  await nextLoop();
  assert.deepEqual(started, ['a', 'c']);
  endings[0]?.resolve('done');
  await done[0];
  await nextLoop();
  assert.deepEqual(started, ['a', 'c', 'b']);
  for (const { resolve } of endings) resolve('done');
  assert.deepEqual(await Promise.all(done), ['done', 'done', 'done']);
});

test('rejects all queued writers of a row when one fails with DatabaseUnavailable', async () => {
  const enqueue = rowQueues();
  const { started, endings, work } = openWork();
  const done = Promise.allSettled(['a', 'b', 'c'].map((name) => enqueue('row', work(name))));
  const elsewhere = enqueue('other row', work('e'));
  await nextLoop();
  const lost = new DatabaseUnavailable(new Error('locked'));
  endings.shift()?.reject(lost);
  for (const outcome of await done) {
    assert.equal(outcome.status, 'rejected');
    assert.ok(outcome.reason instanceof DatabaseUnavailable);
  }
  assert.deepEqual(started, ['a', 'e']);
  endings[0]?.resolve('done');
  assert.equal(await elsewhere, 'done');
});

test('rejects a writer with DatabaseUnavailable when five hundred already write or wait for its row', async () => {
  const enqueue = rowQueues();
  const { endings, work } = openWork();
  const waiting = Array.from({ length: 500 }, () => enqueue('row', work('a')));
  const settled = Promise.allSettled(waiting);
  await assert.rejects(enqueue('row', work('b')), DatabaseUnavailable);
  await nextLoop();
  for (const { reject } of endings) reject(new DatabaseUnavailable(new Error('over')));
  await settled;
  const next = enqueue('row', async () => 'done');
  assert.equal(await next, 'done');
});
