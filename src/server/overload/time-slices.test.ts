import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { timeSlices } from './time-slices.ts';

/** Uses the processor for as long as a search may without a break. */
function fillSlice(): void {
  const start = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(start);
    if (user + system > 10_000) return;
  }
}

test('searches use slices one at a time, and other work runs several times in between', async () => {
  const order: string[] = [];
  let isSearching = true;
  const search = async (name: string) => {
    const yieldIfDue = timeSlices();
    for (let slice = 0; slice < 3; slice++) {
      await yieldIfDue();
      order.push(name);
      fillSlice();
    }
  };
  const otherWork = async () => {
    while (isSearching) {
      order.push('.');
      await yieldToEventLoop();
    }
  };
  const other = otherWork();
  await Promise.all(['a', 'b', 'c', 'd'].map(search));
  isSearching = false;
  await other;
  const slices = order.join('').split(/\.{4,}/);
  assert.equal(slices.filter((names) => names !== '').join(' '), 'a b c d a b c d a b c d');
});

test('a search ends at its next turn when its client has left, even while it waits for that turn', async () => {
  const client = new AbortController();
  const yieldIfDue = timeSlices(client.signal);
  const waiting = yieldIfDue();
  client.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
  await assert.rejects(yieldIfDue(), /gone/);
});
