import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { StoredFile } from '../../src/shared/images.ts';
import { createBucket, noBucket } from '../bucket/bucket.ts';
import { eventually } from '../eventually.ts';
import { Forum } from '../forum/forum.ts';
import { storedObjectKeys } from '../forum/image-setups.ts';
import { lockedUploads, noisyImage, TusUpload } from '../forum/tus-upload.ts';
import { ServerProcess } from '../processes/server-process.ts';

test('another process takes over an upload from a frozen one within 20 s, and the thawed one does not damage it', async (t) => {
  const forum = await Forum.start('postgres', noBucket ? {} : await createBucket());
  const frozen = await ServerProcess.start(forum.dataSettings);
  try {
    const image = await noisyImage();
    const upload = await TusUpload.begin(frozen.url, await forum.person(), image.length);
    assert.equal((await upload.send(frozen.url, 0, image.subarray(0, 9000))).status, 204);
    const stalled = upload.stall(frozen.url, 9000, image.subarray(9000, 50_000), 900_000);
    const responded = once(stalled, 'response').catch(() => {});
    // Without the lock, the upload could be continued without taking it over.
    await eventually('the upload is locked', async () => (await lockedUploads(forum)) === 1);
    frozen.kill('SIGSTOP');
    const frozenMs = Date.now();
    const refusals: string[] = [];
    await eventually(
      'the upload goes on',
      async () => {
        const askedMs = Date.now();
        const { status } = await upload.head(forum.url);
        assert.ok(Date.now() - askedMs < 10_000);
        if (status !== 200) refusals.push(`${status} after ${Date.now() - askedMs} ms`);
        return status === 200;
      },
      20_000,
    );
    t.diagnostic(`taken over after ${Date.now() - frozenMs} ms; before: ${refusals}`);
    const offset = await upload.offset(forum.url);
    assert.ok(offset >= 9000);
    const ended = await upload.send(forum.url, offset, image.subarray(offset));
    assert.equal(ended.status, 200);
    const file = (await ended.json()) as StoredFile;

    frozen.kill('SIGCONT');
    await responded;
    await eventually(
      'the thawed process is ready',
      async () => (await fetch(`${frozen.url}/readyz`)).ok,
    );
    for (const url of [forum.url, frozen.url]) {
      const served = await fetch(new URL(file.downloadURL, url));
      assert.equal((await served.arrayBuffer()).byteLength, file.size);
    }
    assert.equal(new Set((await storedObjectKeys(forum)).map((key) => key.split('.')[0])).size, 1);
  } finally {
    frozen.kill('SIGKILL');
    await forum.stop();
  }
});
