import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentTimes } from './rhythm.ts';

const hourMs = 3_600_000;
const latestMs = new Date(2026, 4, 21, 21).getTime();
const span = { openedMs: latestMs - 20 * 24 * hourMs, latestMs };
const times = commentTimes('cine', 128, span);

test('the times of a channel ascend from its opening to its last comment, and are the same each time', () => {
  assert.equal(times.length, 128);
  assert.deepEqual(
    times.toSorted((a, b) => a - b),
    times,
  );
  assert.ok((times[0] ?? 0) > span.openedMs && (times[0] ?? 0) < span.openedMs + 48 * hourMs);
  assert.equal(times.at(-1), latestMs);
  assert.deepEqual(commentTimes('cine', 128, span), times);
  assert.notDeepEqual(commentTimes('huertos', 128, span), times);
  assert.deepEqual(commentTimes('coro', 0, span), []);
  assert.deepEqual(commentTimes('objetos', 1, span), [latestMs]);
});

test('many comments are replies within half an hour, and few are written at night', () => {
  const soon = times.filter((time, index) => time - (times[index - 1] ?? 0) < hourMs / 2);
  const atNight = times.filter((time) => new Date(time).getHours() < 7).length;
  assert.ok(soon.length > times.length / 4, `${soon.length} replies`);
  assert.ok(atNight < times.length / 8, `${atNight} at night`);
});
