import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { countStrays } from '../../src/server/images/count-strays.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import { FaultyBucket } from '../bucket/faulty-bucket.ts';
import { expectProblem, Forum, type Person } from '../forum/forum.ts';
import { unfinishedUploads } from '../forum/image-setups.ts';
import { noisyImage, TusUpload } from '../forum/tus-upload.ts';

describe('an image for a failing bucket', () => {
  let bucket: FaultyBucket;
  let forum: Forum;
  let owner: Person;
  let image: Buffer;
  let upload: TusUpload;
  before(async () => {
    bucket = await FaultyBucket.start();
    forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent', ...bucket.env });
    owner = await forum.person();
    image = await noisyImage();
  });
  beforeEach(async () => {
    bucket.behaviour = 'normal';
    bucket.affectedRequests = '';
    upload = await TusUpload.begin(forum.url, owner, image.length);
    assert.equal((await upload.send(forum.url, 0, image.subarray(0, 1_500_000))).status, 204);
  });
  after(async () => {
    await forum?.stop();
    bucket?.stop();
  });

  const countRows = async () =>
    (await forum.services.db.selectFrom('images').select('url').execute()).length;

  async function expectUnavailable(asked: Promise<Response>) {
    const beganMs = Date.now();
    const answer = await asked;
    assert.ok(Date.now() - beganMs < 10_000, `${Date.now() - beganMs} ms`);
    assert.equal(answer.headers.get('retry-after'), '10');
    const { detail } = await expectProblem(answer, 503, 'unavailable');
    assert.doesNotMatch(detail, /127\.0\.0\.1|cubo|S3|Error/);
  }

  for (const [behaviour, title] of [
    ['error', 'responds 500'],
    ['silent', 'does not respond'],
    ['stalled', 'does not finish its responses'],
  ] as const) {
    test(`an upload gets 503 and no row while the bucket ${title}, and can be completed afterwards`, async () => {
      const before = await countRows();
      bucket.behaviour = behaviour;
      await expectUnavailable(upload.send(forum.url, 1_500_000, image.subarray(1_500_000)));
      assert.equal(await countRows(), before);
      assert.equal(await upload.offset(forum.url), image.length);

      bucket.behaviour = 'normal';
      const ended = await upload.send(forum.url, image.length, new Uint8Array());
      assert.equal(ended.status, 200);
      assert.deepEqual(await unfinishedUploads(forum), []);
      const { downloadURL } = (await ended.json()) as StoredFile;
      assert.equal((await forum.call('GET', downloadURL)).status, 200);
    });
  }

  test('unfinished uploads leave nothing in the bucket that has no row', async () => {
    assert.deepEqual(
      [...bucket.objects.keys()].filter((key) => !key.startsWith('images/')),
      [],
    );
    const { db, images } = forum.services;
    assert.ok(bucket.objects.size > 0);
    assert.equal((await countStrays(db, images)).count, 0);
  });
});
