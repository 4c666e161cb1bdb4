import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { afterFailure, type Refused } from './retry-delay.ts';

const answer = (status: number, retryAfter: string | null = null): Refused => ({
  status,
  retryAfter,
  date: 'Fri, 20 Nov 2026 10:00:00 GMT',
  problem: {
    type: '',
    title: '',
    status,
    code: 'x',
    detail: 'palabras del servidor',
    instance: '',
  },
});

suite('after a failed request', () => {
  test('a lost network is waited for without end, longer each time', () => {
    assert.deepEqual(afterFailure(null, 0), { wait: 'network', delayMs: 0 });
    assert.deepEqual(afterFailure(null, 2), { wait: 'network', delayMs: 3000 });
    assert.deepEqual(afterFailure(null, 500), { wait: 'network', delayMs: 30_000 });
  });

  test('a busy server gets the time it asks for, however often', () => {
    assert.deepEqual(afterFailure(answer(503, '10'), 0), { wait: 'server', delayMs: 10_000 });
    assert.deepEqual(afterFailure(answer(503, '10'), 50), { wait: 'server', delayMs: 10_000 });
    assert.deepEqual(afterFailure(answer(429, '60'), 0), { wait: 'server', delayMs: 60_000 });
  });

  test('a busy server is left alone for a second at least, and longer each time', () => {
    const now = 'Fri, 20 Nov 2026 10:00:00 GMT';
    const past = 'Fri, 20 Nov 2026 09:00:00 GMT';
    for (const retryAfter of ['0', '-5', '0.001', now, past]) {
      for (const status of [429, 503]) {
        const delays = [0, 1, 2, 3, 4, 500].map((failures) =>
          afterFailure(answer(status, retryAfter), failures),
        );
        assert.deepEqual(
          delays,
          [1000, 2000, 4000, 8000, 10_000, 10_000].map((delayMs) => ({ wait: 'server', delayMs })),
        );
      }
    }
  });

  test('a date to wait until is read by the clock of the server that gave it', () => {
    const soon = 'Fri, 20 Nov 2026 10:00:30 GMT';
    assert.deepEqual(afterFailure(answer(503, soon), 0), { wait: 'server', delayMs: 30_000 });
  });

  test('a time that cannot be read gets a few tries, none within a second', () => {
    for (const retryAfter of ['', ' ', 'NaN', 'pronto', null]) {
      for (const status of [429, 500, 503]) {
        assert.deepEqual(afterFailure(answer(status, retryAfter), 0), {
          wait: 'server',
          delayMs: 1000,
        });
        assert.ok('message' in afterFailure(answer(status, retryAfter), 6));
      }
    }
  });

  test('nobody waits for an hour unasked', () => {
    for (const retryAfter of ['Infinity', '1e300', 'Fri, 20 Nov 2099 10:00:00 GMT']) {
      assert.ok('message' in afterFailure(answer(503, retryAfter), 0));
    }
    assert.deepEqual(afterFailure(answer(429, '3600'), 0), {
      message: 'palabras del servidor',
      canResume: true,
    });
  });

  test('a server in trouble, or still busy with the broken request, gets a few tries', () => {
    for (const status of [409, 423, 500, 502, 503]) {
      assert.deepEqual(afterFailure(answer(status), 1), { wait: 'server', delayMs: 1000 });
      assert.deepEqual(afterFailure(answer(status), 6), {
        message: 'palabras del servidor',
        canResume: true,
      });
    }
  });

  test('a refusal is final', () => {
    for (const status of [400, 401, 404, 413, 422]) {
      assert.deepEqual(afterFailure(answer(status), 0), {
        message: 'palabras del servidor',
        canResume: false,
      });
    }
  });

  test('an answer of something in between is not the last word', () => {
    const foreign = { status: 400, retryAfter: null, date: null, problem: null };
    assert.deepEqual(afterFailure(foreign, 0), {
      message: 'No se pudo subir la imagen.',
      canResume: true,
    });
  });
});
