import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sweepSharedUploads } from '../../src/server/uploads/sweep-uploads.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import { FaultyBucket } from '../bucket/faulty-bucket.ts';
import { expectProblem, Forum, type Person } from '../forum/forum.ts';
import { noisyImage, TusUpload } from '../forum/tus-upload.ts';

describe('an upload to a failing bucket', () => {
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
    for (const key of keysUnder('uploads/')) bucket.objects.delete(key);
    upload = await TusUpload.begin(forum.url, owner, image.length);
    assert.equal((await upload.send(forum.url, 0, image.subarray(0, 1_500_000))).status, 204);
  });
  after(async () => {
    await forum?.stop();
    bucket?.stop();
  });

  const countRows = async () =>
    (await forum.deps.db.selectFrom('images').select('url').execute()).length;
  const keysUnder = (prefix: string) =>
    [...bucket.objects.keys()].filter((key) => key.startsWith(prefix));

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
    test(`responds 503 while the bucket ${title}, and resumes at the same offset afterwards`, async () => {
      const before = await countRows();
      bucket.behaviour = behaviour;
      const asked = upload.send(forum.url, 1_500_000, image.subarray(1_500_000));
      await expectUnavailable(asked);
      assert.equal(await countRows(), before);

      bucket.behaviour = 'normal';
      const offset = await upload.offset(forum.url);
      assert.equal(offset, 1_500_000);
      const ended = await upload.send(forum.url, offset, image.subarray(offset));
      assert.equal(ended.status, 200);
      assert.deepEqual(keysUnder('uploads/'), []);
      const { downloadURL } = (await ended.json()) as StoredFile;
      assert.equal((await forum.call('GET', downloadURL)).status, 200);
    });
  }

  test('a request for the offset responds 503 while the bucket fails', async () => {
    bucket.behaviour = 'error';
    assert.equal((await upload.head(forum.url)).status, 503);
  });

  test('an image that cannot be stored gets no row, and its upload can be completed later', async () => {
    const before = await countRows();
    bucket.affectedRequests = 'PUT images/';
    bucket.behaviour = 'error';
    await expectUnavailable(upload.send(forum.url, 1_500_000, image.subarray(1_500_000)));
    assert.equal(await countRows(), before);

    bucket.behaviour = 'normal';
    assert.equal(await upload.offset(forum.url), image.length);
    const ended = await upload.send(forum.url, image.length, new Uint8Array());
    assert.equal(ended.status, 200);
    assert.deepEqual(keysUnder('uploads/'), []);
  });

  test('an upload succeeds even if the bucket cannot delete its chunks', async () => {
    const picked = await noisyImage(100);
    const small = await TusUpload.begin(forum.url, owner, picked.length);
    bucket.affectedRequests = 'DELETE ';
    bucket.behaviour = 'error';
    assert.equal((await small.send(forum.url, 0, picked)).status, 200);
    assert.ok(keysUnder(`uploads/${small.id}/`).length > 0);
  });
});

describe('BucketUploadStore', () => {
  let bucket: FaultyBucket;
  let forum: Forum;
  let image: Buffer;
  let upload: TusUpload;
  before(async () => {
    bucket = await FaultyBucket.start();
    forum = await Forum.start('sqlite', bucket.env);
    image = await noisyImage();
  });
  beforeEach(async () => {
    bucket.objects.clear();
    upload = await TusUpload.begin(forum.url, await forum.person(), image.length);
  });
  after(async () => {
    await forum?.stop();
    bucket?.stop();
  });

  test('stores one object per mebibyte, however small the parts sent', async () => {
    const chunks = () => [...bucket.objects.keys()].filter((key) => !key.endsWith('/info'));
    const mega = 1024 * 1024;
    let offset = 0;
    for (const size of [1, 1000, 99, mega, 3, 500_000, mega - 501_103, 7]) {
      const part = image.subarray(offset, offset + size);
      assert.equal((await upload.send(forum.url, offset, part)).status, 204);
      offset += size;
      assert.equal(await upload.offset(forum.url), offset);
      assert.equal(chunks().length, Math.ceil(offset / mega), chunks().join());
    }
    const sent = Buffer.concat(chunks().map((key) => bucket.objects.get(key) ?? Buffer.of()));
    assert.ok(sent.equals(image.subarray(0, offset)));
    assert.equal((await upload.send(forum.url, offset, image.subarray(offset))).status, 200);
  });

  test('stores the bytes received before a connection is lost', async () => {
    const store = await forum.deps.uploads.store();
    const interrupted = Readable.from(
      (async function* () {
        yield image.subarray(0, 1_200_000);
        throw new Error('lost');
      })(),
    );
    await assert.rejects(store.write(interrupted, upload.id, 0), /lost/);
    assert.equal(await upload.offset(forum.url), 1_200_000);
  });

  test('loses no bytes when a process that lost its lock writes again', async () => {
    const store = await forum.deps.uploads.store();
    const write = (from: number, to: number) =>
      store.write(Readable.from([image.subarray(from, to)]), upload.id, from);
    await write(0, 1_500_000);
    await write(0, 700_000);
    await write(700_000, 1_100_000);
    assert.equal((await store.getUpload(upload.id)).offset, 1_500_000);
    await write(1_500_000, image.length);
    const { length } = image;
    const whole = await store.withFile(upload.id, length, (file) => readFile(file));
    assert.ok(whole.equals(image));
    assert.deepEqual(await readdir(path.join(forum.deps.config.dataDir, 'uploads')), []);
  });

  test('the sweep deletes an upload when its newest part is an hour old, and nothing else', async () => {
    const { config, uploads } = forum.deps;
    const other = await TusUpload.begin(forum.url, await forum.person(), image.length);
    for (const one of [upload, other]) await one.send(forum.url, 0, image.subarray(0, 2_000_000));
    bucket.objects.set('images/x.full', Buffer.from('x'));
    const longAgo = new Date(Date.now() - 48 * 3_600_000);
    const newest = `uploads/${other.id}/1048576-2000000`;
    assert.ok(bucket.objects.has(newest));
    for (const key of bucket.objects.keys()) if (key !== newest) bucket.writtenAt.set(key, longAgo);
    assert.equal(await sweepSharedUploads({ config, uploads, now: Date.now }), 1);
    assert.equal((await upload.head(forum.url)).status, 404);
    assert.equal(await other.offset(forum.url), 2_000_000);
    assert.ok(bucket.objects.has('images/x.full'));
  });
});
