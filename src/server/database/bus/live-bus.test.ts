import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachYielding } from './live-bus.ts';

test('yields to the event loop while it visits thousands of items, and skips items deleted in between', async () => {
  const readers = new Set(Array.from({ length: 5000 }, (_, number) => number));
  const visited: number[] = [];
  let visitedBefore: number | undefined;
  setImmediate(() => {
    visitedBefore = visited.length;
    readers.delete(4999);
  });
  await forEachYielding(readers, (reader) => visited.push(reader));
  assert.ok(
    visitedBefore !== undefined && visitedBefore < 1000,
    `${visitedBefore} were visited first`,
  );
  assert.equal(visited.length, 4999);
});
