import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Problem } from '../../../shared/errors.ts';
import { shouldRetry, uploadFailure } from './upload-retries.ts';

const problem = (status: number): Problem => ({
  type: '',
  title: '',
  status,
  code: 'x',
  detail: 'palabras del servidor',
  instance: '',
});

suite('after a failed upload request', () => {
  test('retries after a lost connection, after temporary server errors and when the server does not know the upload', () => {
    for (const status of [undefined, 404, 409, 410, 423, 429, 500, 502, 503]) {
      assert.ok(shouldRetry(status), String(status));
    }
  });

  test('retries neither after a rejection nor while the disk is full', () => {
    for (const status of [400, 401, 403, 413, 422, 507]) {
      assert.ok(!shouldRetry(status), String(status));
    }
  });

  test('offers to resume after a temporary error', () => {
    for (const status of [401, 404, 429, 503, 507]) {
      assert.deepEqual(uploadFailure(status, problem(status)), {
        message: 'palabras del servidor',
        canResume: true,
      });
    }
  });

  test('does not offer to resume after the server has rejected the upload', () => {
    for (const status of [400, 403, 413, 422]) {
      assert.deepEqual(uploadFailure(status, problem(status)), {
        message: 'palabras del servidor',
        canResume: false,
      });
    }
  });

  test('offers to resume after an error response that is not from this site', () => {
    for (const status of [undefined, 400]) {
      assert.deepEqual(uploadFailure(status, null), {
        message: 'No se pudo subir la imagen.',
        canResume: true,
      });
    }
  });
});
