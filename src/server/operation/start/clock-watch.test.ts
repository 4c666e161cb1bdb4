import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';
import { ClockWatch, watchClock } from './clock-watch.ts';

const [dayMs, hourMs] = [86_400_000, 3_600_000];

/** A watched clock that a test sets, and a monotonic one. */
function watch(aheadOfNewestMs: number | 'no rows') {
  let [wallMs, steadyMs] = [Date.now(), 5_000];
  const warnings: string[] = [];
  const log = { warn: (message: unknown) => void warnings.push(String(message)) };
  const newestMs = aheadOfNewestMs === 'no rows' ? 0 : wallMs - aheadOfNewestMs;
  const clock = new ClockWatch(
    () => wallMs,
    newestMs,
    log,
    () => steadyMs,
  );
  return {
    warnings,
    mayErase: () => clock.check() !== undefined,
    jump: (ms: number) => {
      wallMs += ms;
    },
    goOn: (ms: number) => {
      wallMs += ms;
      steadyMs += ms;
    },
  };
}

test('a start more than a day ahead of the newest row holds erasures for an hour and says so, once', () => {
  const { warnings, mayErase, goOn } = watch(14 * dayMs);
  assert.match(warnings.join(), /^The clock .* 14 days ahead .* nothing is erased for an hour/);
  assert.equal(mayErase(), false);
  goOn(hourMs - 1);
  assert.equal(mayErase(), false);
  goOn(1);
  assert.equal(mayErase(), true, 'a clock that still says so is believed');
  assert.equal(warnings.length, 1);
});

test('a start with rows of the last day, or without rows, holds erasures for an hour as well, and says nothing', () => {
  for (const ahead of [dayMs, 0, 'no rows'] as const) {
    const { warnings, mayErase, goOn } = watch(ahead);
    assert.equal(mayErase(), false, 'a restart must not end the hour of a wrong clock');
    goOn(hourMs);
    assert.equal(mayErase(), true);
    // A community may be quiet for as long as it likes.
    goOn(30 * dayMs);
    assert.equal(mayErase(), true);
    assert.deepEqual(warnings, []);
  }
});

test('a jump of more than a day, ahead or back, holds erasures for an hour from then', () => {
  const { warnings, mayErase, jump, goOn } = watch(0);
  goOn(hourMs);
  jump(dayMs);
  assert.equal(mayErase(), true);
  goOn(60_000);
  // As the clock reads a moment after the monotonic clock, the difference is never whole days.
  jump(400 * dayMs - 1);
  assert.equal(mayErase(), false);
  goOn(6_000);
  jump(-400 * dayMs);
  assert.equal(mayErase(), false);
  assert.match(warnings.join('\n'), /jumped 400 days ahead.*\n.*jumped 400 days back/);
  goOn(hourMs);
  assert.equal(mayErase(), true);
  assert.equal(warnings.length, 2);
});

test('the watch begins with the newest row of the database', async () => {
  await using forum = await Forum.start('sqlite');
  await forum.person();
  const { db, now } = forum.services;
  const warnings: unknown[] = [];
  const log = { warn: (message: unknown) => void warnings.push(message) };
  const ahead = await watchClock({ db, now: () => now() + 2 * dayMs }, log);
  assert.equal(ahead.check(), undefined);
  assert.equal(warnings.length, 1);
  await watchClock({ db, now }, log);
  assert.equal(warnings.length, 1);
  assert.equal(warnings.length, 1);
});
