import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../http/api-error.ts';
import { TransferSlots } from './transfer-slots.ts';

const bounds = { perKey: 2, total: 3, detail: 'Espera.', retryAfterSeconds: 5 };

/** Creates a transfer at a steady speed. */
function transfer(bytesPerSecond: number, waitsForClient = true) {
  let moved = 0;
  const one = {
    dropped: false,
    movedBytes: () => {
      moved += bytesPerSecond;
      return moved;
    },
    waitsForClient: () => waitsForClient,
    drop: () => {
      one.dropped = true;
    },
  };
  return one;
}

const refusedAs = (code: string) => (error: unknown) =>
  error instanceof ApiError && error.code === code;

test('a new transfer replaces the slowest of its key when the key has no slot left', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const slots = new TransferSlots(bounds);
  const [slow, slowest, other, next] = [5000, 700, 100, 9000].map((speed) => transfer(speed));
  assert.ok(slow && slowest && other && next);
  slots.acquire('a', slow);
  const release = slots.acquire('a', slowest);
  slots.acquire('b', other);
  // Nothing is dropped, because no speed has been measured yet.
  assert.throws(() => slots.acquire('a', next), refusedAs('too_many_requests'));
  t.mock.timers.tick(2000);
  slots.acquire('a', next);
  assert.deepEqual(
    [slow, slowest, other, next].map(({ dropped }) => dropped),
    [false, true, false, false],
  );
  // The slot of the dropped transfer is already released.
  release();
  slots.acquire('a', transfer(1));
  assert.equal(slow.dropped, true);
});

test('a transfer is not slow before it has lasted a whole second', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const slots = new TransferSlots(bounds);
  slots.acquire('a', transfer(1_000_000));
  t.mock.timers.tick(900);
  for (let count = 0; count < bounds.perKey; count++) slots.acquire('b', transfer(1));
  t.mock.timers.tick(100);
  assert.throws(() => slots.acquire('b', transfer(1)), refusedAs('too_many_requests'));
  t.mock.timers.tick(1000);
  slots.acquire('b', transfer(1));
});

test('a new transfer replaces the slowest of all keys when no slot is left', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const slots = new TransferSlots(bounds);
  const held = [['a', 5000] as const, ['b', 700] as const, ['c', 9000] as const].map(
    ([key, speed]) => {
      const one = transfer(speed);
      slots.acquire(key, one);
      return one;
    },
  );
  t.mock.timers.tick(2000);
  slots.acquire('d', transfer(1));
  assert.deepEqual(
    held.map(({ dropped }) => dropped),
    [false, true, false],
  );
});

test('a transfer that is fast or waits for the server is not dropped', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const slots = new TransferSlots(bounds);
  slots.acquire('a', transfer(1_000_000));
  slots.acquire('a', transfer(0, false));
  t.mock.timers.tick(2000);
  assert.throws(() => slots.acquire('a', transfer(1)), refusedAs('too_many_requests'));
});

test('a fast transfer that has lasted too long is dropped only when the total is used up', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const slots = new TransferSlots({ ...bounds, longestMs: 60_000 });
  const held = ['a', 'a', 'b'].map((key, index) => {
    if (index > 0) t.mock.timers.tick(10_000);
    const one = transfer(1_000_000);
    slots.acquire(key, one);
    return one;
  });
  t.mock.timers.tick(39_000);
  assert.throws(() => slots.acquire('c', transfer(1)), refusedAs('busy'));
  t.mock.timers.tick(1000);
  assert.throws(() => slots.acquire('a', transfer(1)), refusedAs('too_many_requests'));
  slots.acquire('c', transfer(1_000_000));
  assert.throws(() => slots.acquire('d', transfer(1)), refusedAs('busy'));
  assert.deepEqual(
    held.map(({ dropped }) => dropped),
    [true, false, false],
  );
});
