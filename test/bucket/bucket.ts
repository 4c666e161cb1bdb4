import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { credentials } from './swift-files.ts';

const url = process.env.TEST_S3_URL;

/** Value for the `skip` option of tests: the reason why there is no bucket, false when there is one. */
export const noBucket =
  !url && (process.env.TEST_S3_MISSING ?? 'run the tests with npm test: it starts Swift for them');

/** Creates a bucket in the test run's Swift. @returns the settings of a forum that stores images in it */
export async function createBucket() {
  const bucket = `t-${randomUUID()}`;
  const account = await signIn();
  const created = await fetch(`${account.url}/${bucket}`, {
    method: 'PUT',
    headers: { 'x-auth-token': account.token },
  });
  assert.equal(created.status, 201);
  return {
    S3_ENDPOINT: url ?? '',
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: credentials.key,
    S3_SECRET_ACCESS_KEY: credentials.secret,
  };
}

async function signIn() {
  const { headers } = await fetch(`${url}/auth/v1.0`, {
    headers: { 'x-auth-user': credentials.key, 'x-auth-key': credentials.secret },
  });
  return { url: headers.get('x-storage-url') ?? '', token: headers.get('x-auth-token') ?? '' };
}
