import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './api-error.ts';
import { TransferPlaces } from './transfer-slots.ts';

const bounds = { perKey: 2, total: 3, detail: 'Espera.', retryAfterSeconds: 5 };

/** A transfer at a steady speed of its client's. */
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

test('a newcomer takes the place of the slowest transfer of its own key', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const places = new TransferPlaces(bounds);
  const [slow, slowest, other, next] = [5000, 700, 100, 9000].map((speed) => transfer(speed));
  assert.ok(slow && slowest && other && next);
  places.take('a', slow);
  const release = places.take('a', slowest);
  places.take('b', other);
  // Nothing is known of their speed yet.
  assert.throws(() => places.take('a', next), refusedAs('too_many_requests'));
  t.mock.timers.tick(2000);
  places.take('a', next);
  assert.deepEqual(
    [slow, slowest, other, next].map(({ dropped }) => dropped),
    [false, true, false, false],
  );
  // What gave way has no place any more that it could give back.
  release();
  places.take('a', transfer(1));
  assert.equal(slow.dropped, true);
});

test('once all places are taken a newcomer takes that of the slowest transfer of all', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const places = new TransferPlaces(bounds);
  const held = [['a', 5000] as const, ['b', 700] as const, ['c', 9000] as const].map(
    ([key, speed]) => {
      const one = transfer(speed);
      places.take(key, one);
      return one;
    },
  );
  t.mock.timers.tick(1000);
  places.take('d', transfer(1));
  assert.deepEqual(
    held.map(({ dropped }) => dropped),
    [false, true, false],
  );
});

test('what is fast, or waits for the server, gives way to no one', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const places = new TransferPlaces(bounds);
  places.take('a', transfer(1_000_000));
  places.take('a', transfer(0, false));
  t.mock.timers.tick(1000);
  assert.throws(() => places.take('a', transfer(1)), refusedAs('too_many_requests'));
});
