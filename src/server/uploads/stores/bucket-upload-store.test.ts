import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, beforeEach, describe, test } from 'node:test';
import { MoodyBucket } from '../../../../test/bucket/faulty-bucket.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { noisyImage, TusUpload } from '../../../../test/forum/tus-upload.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { sweepSharedUploads } from '../sweep-uploads.ts';

describe('an upload while its bucket is in trouble', () => {
  let bucket: MoodyBucket;
  let forum: Forum;
  let owner: Person;
  let image: Buffer;
  let upload: TusUpload;
  before(async () => {
    bucket = await MoodyBucket.start();
    forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent', ...bucket.env });
    owner = await forum.person();
    image = await noisyImage();
  });
  beforeEach(async () => {
    bucket.mood = 'well';
    bucket.moodyAbout = '';
    for (const key of keptOf('uploads/')) bucket.objects.delete(key);
    upload = await TusUpload.begin(forum.url, owner, image.length);
    assert.equal((await upload.send(forum.url, 0, image.subarray(0, 1_500_000))).status, 204);
  });
  after(async () => {
    await forum?.stop();
    bucket?.stop();
  });

  const countRows = async () =>
    (await forum.deps.db.selectFrom('images').select('url').execute()).length;
  const keptOf = (kind: string) => [...bucket.objects.keys()].filter((key) => key.startsWith(kind));

  async function expectUnavailable(asked: Promise<Response>) {
    const beganMs = Date.now();
    const answer = await asked;
    assert.ok(Date.now() - beganMs < 10_000, `${Date.now() - beganMs} ms`);
    assert.equal(answer.headers.get('retry-after'), '10');
    const { detail } = await expectProblem(answer, 503, 'unavailable');
    assert.doesNotMatch(detail, /127\.0\.0\.1|moody|S3|Error/);
  }

  for (const mood of ['failing', 'silent', 'stuck'] as const) {
    test(`that is ${mood}: it is told so, and goes on where it was`, async () => {
      const before = await countRows();
      bucket.mood = mood;
      const asked = upload.send(forum.url, 1_500_000, image.subarray(1_500_000));
      await expectUnavailable(asked);
      assert.equal(await countRows(), before);

      bucket.mood = 'well';
      const offset = await upload.offset(forum.url);
      assert.equal(offset, 1_500_000);
      const ended = await upload.send(forum.url, offset, image.subarray(offset));
      assert.equal(ended.status, 200);
      assert.deepEqual(keptOf('uploads/'), []);
      const { downloadURL } = (await ended.json()) as StoredFile;
      assert.equal((await forum.call('GET', downloadURL)).status, 200);
    });
  }

  test('that fails: whoever asks how far it is is told so', async () => {
    bucket.mood = 'failing';
    assert.equal((await upload.head(forum.url)).status, 503);
  });

  test('that fails when the image is kept: no row speaks of it, and it can be taken in later', async () => {
    const before = await countRows();
    bucket.moodyAbout = 'PUT images/';
    bucket.mood = 'failing';
    await expectUnavailable(upload.send(forum.url, 1_500_000, image.subarray(1_500_000)));
    assert.equal(await countRows(), before);

    bucket.mood = 'well';
    assert.equal(await upload.offset(forum.url), image.length);
    const ended = await upload.send(forum.url, image.length, new Uint8Array());
    assert.equal(ended.status, 200);
    assert.deepEqual(keptOf('uploads/'), []);
  });

  test('that does not forget: the image is there all the same', async () => {
    const picked = await noisyImage(100);
    const small = await TusUpload.begin(forum.url, owner, picked.length);
    bucket.moodyAbout = 'DELETE ';
    bucket.mood = 'failing';
    assert.equal((await small.send(forum.url, 0, picked)).status, 200);
    assert.ok(keptOf(`uploads/${small.id}/`).length > 0);
  });
});

describe('uploads in a bucket', () => {
  let bucket: MoodyBucket;
  let forum: Forum;
  let image: Buffer;
  let upload: TusUpload;
  before(async () => {
    bucket = await MoodyBucket.start();
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

  test('take few objects however small their parts, and hold what was sent', async () => {
    const stretches = () => [...bucket.objects.keys()].filter((key) => !key.endsWith('/info'));
    const mega = 1024 * 1024;
    let offset = 0;
    for (const size of [1, 1000, 99, mega, 3, 500_000, mega - 501_103, 7]) {
      const part = image.subarray(offset, offset + size);
      assert.equal((await upload.send(forum.url, offset, part)).status, 204);
      offset += size;
      assert.equal(await upload.offset(forum.url), offset);
      assert.equal(stretches().length, Math.ceil(offset / mega), stretches().join());
    }
    const sent = Buffer.concat(stretches().map((key) => bucket.objects.get(key) ?? Buffer.of()));
    assert.ok(sent.equals(image.subarray(0, offset)));
    assert.equal((await upload.send(forum.url, offset, image.subarray(offset))).status, 200);
  });

  test('keep what came in before a connection was lost', async () => {
    const store = await forum.deps.uploads.store();
    const cutOff = Readable.from(
      (async function* () {
        yield image.subarray(0, 1_200_000);
        throw new Error('lost');
      })(),
    );
    await assert.rejects(store.write(cutOff, upload.id, 0), /lost/);
    assert.equal(await upload.offset(forum.url), 1_200_000);
  });

  test('lose nothing to a process that writes late, without the lock', async () => {
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

  test('go when their newest part is an hour old, and nothing else does', async () => {
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
