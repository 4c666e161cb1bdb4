import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailable } from '../errors.ts';
import { rowQueues } from './row-queue.ts';

/** Work that goes on until it is told how it ends. */
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

const turn = () => new Promise(setImmediate);

test('two writers of a row work at once, further ones in their turn, and those of other rows beside them', async () => {
  const inTurn = rowQueues();
  const { started, endings, work } = openWork();
  const done = ['a', 'b', 'c'].map((name) => inTurn('row', work(name)));
  done.push(inTurn('other row', work('d')));
  await turn();
  assert.deepEqual(started, ['a', 'b', 'd']);
  endings[0]?.resolve('done');
  await done[0];
  await turn();
  assert.deepEqual(started, ['a', 'b', 'd', 'c']);
  for (const { resolve } of endings) resolve('done');
  assert.deepEqual(await Promise.all(done), ['done', 'done', 'done', 'done']);
});

test('when the database is unavailable to one writer of a row, those who wait are told', async () => {
  const inTurn = rowQueues();
  const { started, endings, work } = openWork();
  const done = Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => inTurn('row', work(name))));
  const elsewhere = inTurn('other row', work('e'));
  await turn();
  const lost = new DatabaseUnavailable(new Error('locked'));
  for (const { reject } of endings.splice(0, 2)) reject(lost);
  for (const outcome of await done) {
    assert.equal(outcome.status, 'rejected');
    assert.ok(outcome.reason instanceof DatabaseUnavailable);
  }
  assert.deepEqual(started, ['a', 'b', 'e']);
  endings[0]?.resolve('done');
  assert.equal(await elsewhere, 'done');
});

test('at most five hundred write a row or wait for it; the next is told that the database is unavailable', async () => {
  const inTurn = rowQueues();
  const { endings, work } = openWork();
  const waiting = Array.from({ length: 500 }, () => inTurn('row', work('a')));
  const settled = Promise.allSettled(waiting);
  await assert.rejects(inTurn('row', work('b')), DatabaseUnavailable);
  await turn();
  for (const { reject } of endings) reject(new DatabaseUnavailable(new Error('over')));
  await settled;
  const next = inTurn('row', async () => 'done');
  assert.equal(await next, 'done');
});
