import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '../../../shared/errors.ts';
import { shouldRetry, uploadFailure } from './upload-retries.ts';

const detail = 'palabras del servidor';
const problem = (status: number): Problem => ({
  type: '',
  title: '',
  status,
  code: 'x',
  detail,
  instance: '',
});

test('an upload is retried after a passing failure, can be resumed after some others, and ends after a rejection', () => {
  for (const [isRetried, canResume, ...statuses] of [
    [true, true, 404, 409, 410, 423, 429, 500, 502, 503],
    // The user can sign in again, and the operator can free the disk.
    [false, true, 401, 507],
    [false, false, 400, 403, 413, 422],
  ] as const) {
    for (const status of statuses) {
      assert.equal(shouldRetry(status), isRetried, String(status));
      assert.deepEqual(uploadFailure(status, problem(status)), { message: detail, canResume });
    }
  }
});

test('an upload can be resumed when there was no response, or one that is not from this site', () => {
  assert.equal(shouldRetry(undefined), true);
  for (const status of [undefined, 400]) {
    const failure = { message: 'No se pudo subir el archivo.', canResume: true };
    assert.deepEqual(uploadFailure(status, null), failure);
  }
});
