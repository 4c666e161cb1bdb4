import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { createBucket, noBucket } from '../../../../test/bucket/bucket.ts';
import { FaultyBucket } from '../../../../test/bucket/faulty-bucket.ts';
import { changeValues } from '../../../../test/change-values.ts';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { assetRoutes, pageRoutes } from '../../../shared/routes.ts';
import { parseConfig } from '../../config/config.ts';
import { ObjectNotFound } from '../../missing.ts';
import { sweepImages } from '../sweep-images.ts';
import { StoreUnavailable } from './errors.ts';
import { limitsMs } from './s3-bucket.ts';
import { S3ImageStore } from './s3-image-store.ts';

const image = (colour: string) =>
  sharp({ create: { width: 600, height: 300, channels: 3, background: colour } })
    .png()
    .toBuffer();

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

describe('a bucket with a public address', { skip: noBucket }, () => {
  let forum: Forum;
  let publicUrl: string;
  before(async () => {
    const env = await createBucket({ isPublic: true });
    publicUrl = env.S3_PUBLIC_URL ?? '';
    forum = await Forum.start('sqlite', env);
  });
  after(() => forum?.stop());

  test('serves the images, and the site redirects to it', async () => {
    const owner = await forum.person();
    const response = await forum.upload(owner, await image('red'), { filename: 'Año.png' });
    const file = (await response.json()) as StoredFile;
    assert.equal(file.bucket, forum.deps.config.s3?.bucket);
    assert.ok(file.downloadURL.startsWith(`${publicUrl}/images/`), file.downloadURL);

    const direct = await fetch(file.downloadURL);
    assert.equal(direct.headers.get('content-type'), 'image/png');
    assert.match(direct.headers.get('cache-control') ?? '', /immutable/);
    const bytes = Buffer.from(await direct.arrayBuffer());
    assert.equal(createHash('md5').update(bytes).digest('base64'), file.md5Hash);

    const own = assetRoutes.file(file.fullPath);
    const lead = await forum.call('GET', own);
    assert.equal(lead.status, 302);
    assert.equal(lead.headers.get('location'), file.downloadURL);
    assert.equal(lead.headers.get('cache-control'), 'public, max-age=300');
    for (const [variant, type] of [
      ['500.webp', 'image/webp'],
      ['card.jpg', 'image/jpeg'],
    ] as const) {
      const response = await fetch(new URL(assetRoutes.variant(own, variant), forum.url));
      assert.equal(response.headers.get('content-type'), type);
      assert.equal(`image/${(await sharp(await response.arrayBuffer()).metadata()).format}`, type);
    }
    assert.equal((await forum.call('GET', assetRoutes.file('images/nada.png'))).status, 404);
  });

  test('covers and avatars given by their bucket URL are stored with their URL on the site', async () => {
    const owner = await forum.person();
    const upload = async (colour: string, use: string) =>
      (await (
        await forum.upload(owner, await image(colour), { filename: `${colour}.png`, use })
      ).json()) as StoredFile;
    const cover = await upload('green', 'cover');
    const face = await upload('blue', 'avatar');
    const channel = await forum.json<Channel>('POST', apiRoutes.channels, {
      token: owner.token,
      body: { name: 'Canal', description: 'Con portada', cover: cover.downloadURL },
    });
    assert.equal(channel.cover, '/files/images/green.png');
    const user = await forum.json<{ img: string }>('PUT', apiRoutes.updateImage, {
      token: owner.token,
      body: { img: face.downloadURL },
    });
    assert.equal(user.img, '/files/images/blue.png');
    // The sweep erases only the unused image of the previous test.
    const later = { ...forum.deps, now: () => Date.now() + 25 * 3_600_000 };
    assert.equal((await sweepImages(later)).images, 1);
    assert.equal((await fetch(cover.downloadURL)).status, 200);
  });

  test('is allowed as an image source by the Content-Security-Policy', async () => {
    const page = await forum.call('GET', pageRoutes.home);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.ok(policy.includes(` ${new URL(publicUrl).origin};`), policy);
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

  /** Expects 503 for uploads, images and readiness, and that everything else works. */
  async function expectImagesUnavailable() {
    const owner = await forum.person();
    const channel = await forum.channel(owner);
    const rows = () => forum.deps.db.selectFrom('images').select('url').execute();
    const before = await rows();
    const answers = await Promise.all([
      forum.upload(owner, await image('red'), { filename: 'rota.png' }),
      forum.call('GET', before[0]?.url ?? ''),
    ]);
    const isReady = async () => (await forum.call('GET', '/readyz')).ok;
    await eventually('it is not ready', async () => !(await isReady()));
    for (const answer of answers) {
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
      assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
      const { detail } = await expectProblem(answer, 503, 'unavailable');
      assert.doesNotMatch(detail, /127\.0\.0\.1|cubo|S3|Error/);
    }
    assert.deepEqual(await rows(), before);

    assert.equal((await forum.call('GET', '/healthz')).status, 200);
    assert.equal((await forum.call('GET', pageRoutes.home)).status, 200);
    assert.equal((await forum.call('GET', pageRoutes.channel(channel._id))).status, 200);
    await forum.comment(owner, channel._id, 'Seguimos hablando.');
  }

  test('makes uploads and images fail with 503 and leaves the rest of the site working', async (t) => {
    const owner = await forum.person();
    const uploaded = await forum.upload(owner, await image('green'), { filename: 'buena.png' });
    assert.equal(uploaded.status, 200);
    assert.equal((await forum.call('GET', '/readyz')).status, 200);

    await t.test('when it responds 500', async () => {
      bucket.behaviour = 'error';
      await expectImagesUnavailable();
    });
    await t.test('when it does not respond', async () => {
      bucket.behaviour = 'silent';
      // test/faults/failing-bucket.fault.ts measures the real limits.
      changeValues(limitsMs, { call: 300, check: 300 });
      await expectImagesUnavailable();
    });
    await t.test('when it refuses connections', async () => {
      bucket.stop();
      await expectImagesUnavailable();
    });
  });
});
