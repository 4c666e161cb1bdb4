import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublicChange } from '../../database/public-change.ts';
import { type BusMessage, changeInterval, forEachYielding, LiveBus } from './live-bus.ts';

test('yields to the event loop while it visits thousands of items, and skips those deleted meanwhile', async () => {
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

test('sends readers the first of many numbered changes at once and the rest as one, and watchers each of them', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bus = new LiveBus();
  const watched: BusMessage<PublicChange>[] = [];
  bus.watch((message) => watched.push(message));
  const received: BusMessage<PublicChange>[] = [];
  bus.subscribe('c1', (message) => received.push(message));
  const change = (changeNumber: number) =>
    ({ kind: 'numbered-change', channelId: 'c1', changeNumber, number: 1 }) as const;
  for (let changeNumber = 1; changeNumber <= 50; changeNumber++) bus.publish(change(changeNumber));
  assert.deepEqual(received, [change(1)]);
  assert.equal(watched.length, 50);
  t.mock.timers.tick(changeInterval.ms);
  assert.deepEqual(received, [change(1), change(50)]);
});
