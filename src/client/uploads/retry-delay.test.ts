import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { afterFailure, type ErrorResponse } from './retry-delay.ts';

const response = (status: number, retryAfter: string | null = null): ErrorResponse => ({
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

suite('after a failed upload request', () => {
  test('retries a failed connection without limit, with growing delays', () => {
    assert.deepEqual(afterFailure(null, 0), { wait: 'network', delayMs: 0 });
    assert.deepEqual(afterFailure(null, 2), { wait: 'network', delayMs: 3000 });
    assert.deepEqual(afterFailure(null, 500), { wait: 'network', delayMs: 30_000 });
  });

  test('waits as long as Retry-After of a busy server says, however often', () => {
    assert.deepEqual(afterFailure(response(503, '10'), 0), { wait: 'server', delayMs: 10_000 });
    assert.deepEqual(afterFailure(response(503, '10'), 50), { wait: 'server', delayMs: 10_000 });
    assert.deepEqual(afterFailure(response(429, '60'), 0), { wait: 'server', delayMs: 60_000 });
  });

  test('waits at least a second for a busy server, and longer each time', () => {
    const now = 'Fri, 20 Nov 2026 10:00:00 GMT';
    const past = 'Fri, 20 Nov 2026 09:00:00 GMT';
    for (const retryAfter of ['0', '-5', '0.001', now, past]) {
      for (const status of [429, 503]) {
        const delays = [0, 1, 2, 3, 4, 500].map((failures) =>
          afterFailure(response(status, retryAfter), failures),
        );
        assert.deepEqual(
          delays,
          [1000, 2000, 4000, 8000, 10_000, 10_000].map((delayMs) => ({ wait: 'server', delayMs })),
        );
      }
    }
  });

  test('compares a date in Retry-After with the Date header of the same response', () => {
    const soon = 'Fri, 20 Nov 2026 10:00:30 GMT';
    assert.deepEqual(afterFailure(response(503, soon), 0), { wait: 'server', delayMs: 30_000 });
  });

  test('retries a few times, none within a second, when Retry-After is unreadable', () => {
    for (const retryAfter of ['', ' ', 'NaN', 'pronto', null]) {
      for (const status of [429, 500, 503]) {
        assert.deepEqual(afterFailure(response(status, retryAfter), 0), {
          wait: 'server',
          delayMs: 1000,
        });
        assert.ok('message' in afterFailure(response(status, retryAfter), 6));
      }
    }
  });

  test('fails and offers to resume when Retry-After is over two minutes', () => {
    for (const retryAfter of ['Infinity', '1e300', 'Fri, 20 Nov 2099 10:00:00 GMT']) {
      assert.ok('message' in afterFailure(response(503, retryAfter), 0));
    }
    assert.deepEqual(afterFailure(response(429, '3600'), 0), {
      message: 'palabras del servidor',
      canResume: true,
    });
  });

  test('retries server errors and conflicts with an interrupted request a few times', () => {
    for (const status of [409, 423, 500, 502, 503]) {
      assert.deepEqual(afterFailure(response(status), 1), { wait: 'server', delayMs: 1000 });
      assert.deepEqual(afterFailure(response(status), 6), {
        message: 'palabras del servidor',
        canResume: true,
      });
    }
  });

  test('does not offer to resume after the server has rejected the upload', () => {
    for (const status of [400, 404, 413, 422]) {
      assert.deepEqual(afterFailure(response(status), 0), {
        message: 'palabras del servidor',
        canResume: false,
      });
    }
  });

  test('offers to resume after the session has ended', () => {
    assert.deepEqual(afterFailure(response(401), 0), {
      message: 'palabras del servidor',
      canResume: true,
    });
  });

  test('offers to resume after an error response that is not from this site', () => {
    const proxyError = { status: 400, retryAfter: null, date: null, problem: null };
    assert.deepEqual(afterFailure(proxyError, 0), {
      message: 'No se pudo subir la imagen.',
      canResume: true,
    });
  });
});
