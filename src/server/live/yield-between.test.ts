import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachYielding } from './yield-between.ts';

test('while thousands are told, others have their turn; who leaves meanwhile is not told', async () => {
  const readers = new Set(Array.from({ length: 5000 }, (_, number) => number));
  const told: number[] = [];
  let toldBefore: number | undefined;
  setImmediate(() => {
    toldBefore = told.length;
    readers.delete(4999);
  });
  await forEachYielding(readers, (reader) => told.push(reader));
  assert.ok(toldBefore !== undefined && toldBefore < 1000, `${toldBefore} were told first`);
  assert.equal(told.length, 4999);
});
