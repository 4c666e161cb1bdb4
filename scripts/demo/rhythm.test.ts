import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentTimes } from './rhythm.ts';

const hourMs = 3_600_000;
const latestMs = new Date(2026, 4, 21, 21).getTime();
const span = { openedMs: latestMs - 20 * 24 * hourMs, latestMs };
const times = commentTimes('cine', 128, span);

test('the same seed and span give the same times, another seed others', () => {
  assert.deepEqual(commentTimes('cine', 128, span), times);
  assert.notDeepEqual(commentTimes('huertos', 128, span), times);
});

test('times go forward from the opening to the last comment, over the whole span', () => {
  assert.equal(times.length, 128);
  assert.deepEqual(
    [...times].sort((a, b) => a - b),
    times,
  );
  assert.ok((times[0] ?? 0) > span.openedMs && (times[0] ?? 0) < span.openedMs + 48 * hourMs);
  assert.equal(times.at(-1), latestMs);
});

test('people answer each other, and sleep', () => {
  const soon = times.filter((time, index) => time - (times[index - 1] ?? 0) < hourMs / 2);
  const atNight = times.filter((time) => new Date(time).getHours() < 7).length;
  assert.ok(soon.length > times.length / 4, `${soon.length} answers`);
  assert.ok(atNight < times.length / 8, `${atNight} at night`);
});

test('a silent channel has no times, and a single comment is the last', () => {
  assert.deepEqual(commentTimes('coro', 0, span), []);
  assert.deepEqual(commentTimes('objetos', 1, span), [latestMs]);
});
