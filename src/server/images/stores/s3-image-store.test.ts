import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { createBucket, noBucket } from '../../../../test/bucket/bucket.ts';
import { FaultyBucket } from '../../../../test/bucket/faulty-bucket.ts';
import { changeValues } from '../../../../test/change-values.ts';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { colouredImage } from '../../../../test/forum/image-setups.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { ObjectNotFound } from '../../system/missing.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { StoreUnavailable } from './errors.ts';
import { limitsMs } from './s3-bucket.ts';
import { S3ImageStore } from './s3-image-store.ts';

function openStore(env: Record<string, string>, pageSize?: number): S3ImageStore {
  const { s3 } = parseConfig(env);
  assert.ok(s3);
  return new S3ImageStore(s3, pageSize);
}

describe('S3ImageStore', { skip: noBucket }, () => {
  let env: Record<string, string>;
  before(async () => {
    env = await createBucket();
  });

  test('reads whole objects and ranges, and fails with ObjectNotFound after removal', async () => {
    const store = openStore(env);
    await store.write('uno.full', Buffer.from('0123456789'), 'image/png');
    assert.equal(await store.size('uno.full'), 10);
    assert.equal(String(await buffer(await store.read('uno.full'))), '0123456789');
    assert.equal(String(await buffer(await store.read('uno.full', { start: 2, end: 4 }))), '234');
    await store.remove('uno.full');
    await store.remove('uno.full');
    await assert.rejects(store.size('uno.full'), ObjectNotFound);
    await assert.rejects(store.read('uno.full'), ObjectNotFound);
  });

  test('lists all objects across several pages', async () => {
    const store = openStore(env, 2);
    assert.deepEqual(await Array.fromAsync(store.list()), []);
    const beganMs = Date.now();
    const keys = ['a.full', 'b.500.webp', 'c.full', 'd.full', 'e.card.jpg'];
    await Promise.all(keys.map((key) => store.write(key, Buffer.from(key), 'image/png')));
    const listed = await Array.fromAsync(store.list());
    assert.deepEqual(listed.map(({ key }) => key).sort(), keys);
    // A bucket's times are whole seconds, rounded up or down.
    const isSince = ({ writtenAtMs }: { writtenAtMs: number }) =>
      writtenAtMs > beganMs - 1000 && writtenAtMs < Date.now() + 1000;
    assert.ok(listed.every(isSince));
  });

  test('check fails for a missing bucket and for wrong credentials, and says which', async () => {
    await openStore(env).check();
    for (const [wrong, reason] of [
      [{ S3_BUCKET: 'no-hay' }, /NoSuchBucket/],
      [{ S3_SECRET_ACCESS_KEY: 'otro' }, /SignatureDoesNotMatch/],
    ] as const) {
      const failed = openStore({ ...env, ...wrong }).check();
      await assert.rejects(failed, (error) => {
        assert.ok(error instanceof StoreUnavailable);
        assert.match(error.advice, reason);
        return true;
      });
    }
  });
});

describe('a failing bucket', () => {
  let bucket: FaultyBucket;
  let forum: Forum;
  before(async () => {
    bucket = await FaultyBucket.start();
    forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent', ...bucket.env });
  });
  after(async () => {
    await forum?.stop();
    bucket?.stop();
  });

  /** Expects 503 for uploads, images and readiness, and success for everything else. */
  async function expectImagesUnavailable() {
    const owner = await forum.person();
    const channel = await forum.channel(owner);
    const rows = () => forum.services.db.selectFrom('images').select('url').execute();
    const before = await rows();
    const answers = await Promise.all([
      forum.upload(owner, await colouredImage('red').png().toBuffer(), { filename: 'rota.png' }),
      forum.call('GET', before[0]?.url ?? ''),
    ]);
    const isReady = async () => (await forum.call('GET', '/readyz?all')).ok;
    await eventually('it is not ready', async () => !(await isReady()));
    for (const answer of answers) {
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
      assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
      const { detail } = await expectProblem(answer, 503, 'unavailable');
      assert.doesNotMatch(detail, /127\.0\.0\.1|cubo|S3|Error/);
    }
    assert.deepEqual(await rows(), before);

    for (const url of ['/readyz', pageRoutes.home, pageRoutes.channel(channel._id)]) {
      assert.equal((await forum.call('GET', url)).status, 200, url);
    }
    await forum.comment(owner, channel._id, 'Seguimos hablando.');
  }

  test('makes uploads and images fail with 503 and leaves the rest of the site working', async (t) => {
    const owner = await forum.person();
    const uploaded = await forum.upload(owner, await colouredImage('green').png().toBuffer(), {
      filename: 'buena.png',
    });
    assert.equal(uploaded.status, 200);
    assert.equal((await forum.call('GET', '/readyz?all')).status, 200);

    // test/faults/failing-bucket.fault.ts measures the real limits.
    changeValues(limitsMs, { call: 1000, check: 1000 });
    await t.test('when it responds 500', async () => {
      bucket.behaviour = 'error';
      await expectImagesUnavailable();
    });
    await t.test('when it does not respond', async () => {
      bucket.behaviour = 'silent';
      await expectImagesUnavailable();
    });
    await t.test('when it refuses connections', async () => {
      bucket.stop();
      await expectImagesUnavailable();
    });
  });
});
