import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import sharp from 'sharp';
import { hugePng } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum, type Person, uploadMetadata } from '../../../../test/forum/forum.ts';
import {
  colouredImage,
  imageSetups,
  onDisk,
  storedObjectKeys,
  unfinishedUploads,
} from '../../../../test/forum/image-setups.ts';
import { TusUpload } from '../../../../test/forum/tus-upload.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { limits } from '../../../shared/limits.ts';
import { assetRoutes } from '../../../shared/routes.ts';
import { StoreUnavailable } from '../stores/errors.ts';

const stored = async (response: Response) => {
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as StoredFile;
};

for (const { title, engine, env } of imageSetups) {
  test(`an upload in two parts responds with the metadata of the image, which is then served, also in ranges (${title})`, async () => {
    await using forum = await Forum.start(engine, await env());
    const owner = await forum.person();
    const bytes = await colouredImage('red').png().toBuffer();
    const upload = await TusUpload.begin(forum.url, owner, bytes.length, 'Café con leche.png');
    assert.ok(upload.path.startsWith('/api/uploads/'), upload.path);
    assert.equal((await upload.send(forum.url, 0, bytes.subarray(0, 20))).status, 204);
    assert.equal(await upload.offset(forum.url), 20);
    const file = await stored(await upload.send(forum.url, 20, bytes.subarray(20)));
    assert.equal(file.fullPath, 'images/Café con leche.png');
    assert.equal(file.name, 'Café con leche.png');
    assert.equal(file.contentType, 'image/png');
    assert.equal(file.customMetadata.use, 'cover');
    assert.deepEqual(Object.keys(file), [
      ...['bucket', 'fullPath', 'name', 'size', 'contentType', 'timeCreated', 'updated'],
      ...['md5Hash', 'customMetadata', 'downloadURL'],
    ]);
    assert.deepEqual(await forum.json('GET', apiRoutes.storedFile(file.fullPath)), file);

    const get = (headers: Record<string, string> = {}) =>
      forum.call('GET', file.downloadURL, { headers });
    const served = await get();
    const whole = Buffer.from(await served.arrayBuffer());
    assert.equal(whole.length, file.size);
    assert.equal(file.md5Hash, createHash('md5').update(whole).digest('base64'));
    const { data } = await sharp(whole).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([...data.subarray(0, 3)], [255, 0, 0]);
    assert.equal(served.headers.get('content-type'), 'image/png');
    assert.match(served.headers.get('cache-control') ?? '', /immutable/);
    assert.equal(served.headers.get('x-content-type-options'), 'nosniff');
    const { headers } = await forum.call('HEAD', file.downloadURL);
    assert.equal(headers.get('content-length'), String(file.size));
    assert.equal(headers.get('content-type'), 'image/png');

    const part = await get({ range: 'bytes=1-3' });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes 1-3/${file.size}`);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(1, 4));
    const beyond = await get({ range: `bytes=${file.size}-` });
    await expectProblem(beyond, 416, 'range_not_satisfiable');
    assert.equal(beyond.headers.get('content-range'), `bytes */${file.size}`);
    const etag = served.headers.get('etag') ?? '';
    assert.equal((await get({ 'if-none-match': `"x", ${etag}` })).status, 304);
    assert.equal((await get({ 'if-none-match': '"x"' })).status, 200);
  });
}

onDisk('uploads', (forum) => {
  test('accepts all five formats, with the longest name, and takes the content type from the bytes', async () => {
    const owner = await forum().person();
    for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
      const bytes = await colouredImage('blue').toFormat(format).toBuffer();
      const filename = `${'a'.repeat(limits.fileNameChars - 4)}.exe`;
      const upload = forum().upload(owner, bytes, { filename, use: 'avatar' });
      assert.equal((await stored(await upload)).contentType, `image/${format}`);
    }
  });

  test('accepts more than the 1 MB that the form recommends', async () => {
    const raw = { width: 800, height: 600, channels: 3 } as const;
    const bytes = await sharp(randomBytes(800 * 600 * 3), { raw })
      .png()
      .toBuffer();
    assert.ok(bytes.length > 1_048_576);
    const owner = await forum().person();
    await stored(await forum().upload(owner, bytes, { filename: 'ruido.png', use: 'cover' }));
  });

  test('rejects files that are not complete images and stores nothing of them', async () => {
    const owner = await forum().person();
    const before = await filesOf(forum());
    const png = await colouredImage('purple').png({ compressionLevel: 0 }).toBuffer();
    for (const bytes of [Buffer.from('hola'), png.subarray(0, png.length / 2)]) {
      await expectProblem(await forum().upload(owner, bytes), 422, 'not_an_image');
    }
    const huge = await forum().upload(owner, hugePng(16_000), { filename: 'enorme.png' });
    const { detail } = await expectProblem(huge, 422, 'image_too_large');
    assert.match(detail, /50 millones/);
    assert.deepEqual(await filesOf(forum()), before);
  });

  test('serves the variants of covers and avatars, and responds 404 for other sizes', async () => {
    const owner = await forum().person();
    const large = { width: 1200, height: 700, channels: 3, background: 'teal' } as const;
    const bytes = await sharp({ create: large }).jpeg().toBuffer();
    const sizeOf = async (url: string) => {
      const response = await forum().call('GET', url);
      if (response.status !== 200) return response.status;
      assert.match(response.headers.get('cache-control') ?? '', /immutable/);
      assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/);
      const { format, width, height } = await sharp(await response.arrayBuffer()).metadata();
      assert.equal(response.headers.get('content-type'), `image/${format}`);
      return `${width}x${height}`;
    };
    const cover = await stored(await forum().upload(owner, bytes, { filename: 'c.jpg' }));
    const face = { filename: 'f.jpg', use: 'avatar' };
    const avatar = await stored(await forum().upload(owner, bytes, face));
    for (const [file, variant, size] of [
      [cover, '500.webp', '500x200'],
      [cover, '1000.webp', '1000x400'],
      // A width above the largest stored variant gets that variant.
      [cover, '2000.webp', '1200x480'],
      [cover, 'card.jpg', '1200x630'],
      [avatar, '90.webp', '90x90'],
      // A width of another use gets the closest stored variant of this use.
      [cover, '90.webp', '500x200'],
      [avatar, '1000.webp', '360x360'],
      [avatar, 'card.jpg', '360x360'],
      ...['501.webp', '500.avif', 'full', '../full', '%2e%2e'].map(
        (other) => [cover, other, 404] as const,
      ),
    ] as const) {
      assert.equal(await sizeOf(assetRoutes.variant(file.downloadURL, variant)), size, variant);
    }
  });

  test('a new request takes an upload over from a stalled one, with all bytes received so far', async () => {
    const owner = await forum().person();
    const bytes = await colouredImage('orange').png().toBuffer();
    const upload = await TusUpload.begin(forum().url, owner, bytes.length);
    const stalled = upload.stall(forum().url, 0, bytes.subarray(0, 50), bytes.length);
    try {
      await eventually(
        'the offset includes the bytes of the stalled request',
        async () => (await upload.offset(forum().url)) === 50,
      );
      await stored(await upload.send(forum().url, 50, bytes.subarray(50)));
    } finally {
      stalled.destroy();
    }
  });

  const start = (owner: Person, headers: Record<string, string>, body?: Uint8Array) =>
    forum().call('POST', apiRoutes.uploads, {
      token: owner.token,
      ...(body ? { body } : {}),
      headers: { 'tus-resumable': '1.0.0', ...headers },
    });
  test('an upload is refused without the headers of tus, a known use, a short name, a size or one below the limit, or with an extension', async () => {
    const owner = await forum().person();
    const size = { 'upload-length': '4' };
    const about = (filename: string, use: string) => ({
      'upload-metadata': uploadMetadata({ filename, use }),
    });
    for (const headers of [
      size,
      about('a.png', 'cover'),
      { ...size, ...about('a.png', 'otro') },
      { ...size, ...about('a'.repeat(1025), 'cover') },
      { 'upload-length': 'Infinity', ...about('a.png', 'cover') },
      { 'upload-length': '9'.repeat(400), ...about('a.png', 'cover') },
      { 'upload-length': '1e99', ...about('a.png', 'cover') },
      { ...size, ...about('a.png', 'cover'), 'upload-concat': 'partial' },
      { ...size, ...about('a.png', 'cover'), 'upload-defer-length': '1' },
    ]) {
      await expectProblem(await start(owner, headers), 400, 'invalid_upload');
    }
    const bare = await forum().call('POST', apiRoutes.uploads, { token: owner.token });
    await expectProblem(bare, 400, 'invalid_upload');
    const large = { 'upload-length': String(14 * 1024 * 1024) };
    const tooLarge = await start(owner, { ...large, ...about('a.png', 'cover') });
    const { detail } = await expectProblem(tooLarge, 413, 'too_large');
    assert.equal(detail, 'La imagen pesa 14\u00a0MB; el máximo es 10\u00a0MB.');
    assert.ok(!(await unfinishedUploads(forum())).some((name) => name.startsWith(owner.id)));
  });

  test('an upload that is empty, longer or shorter than declared does not become an image', async () => {
    const owner = await forum().person();
    const bytes = await colouredImage('navy').png().toBuffer();
    const metadata = uploadMetadata({ filename: 'a.png', use: 'cover' });
    const sendAs = (length: number) =>
      start(
        owner,
        {
          'content-type': 'application/offset+octet-stream',
          'upload-length': String(length),
          'upload-metadata': metadata,
        },
        bytes,
      );
    const empty = await start(owner, { 'upload-length': '0', 'upload-metadata': metadata });
    for (const refused of [empty, await sendAs(bytes.length - 10)]) {
      assert.ok(refused.status >= 400 && refused.status < 500, String(refused.status));
      const type = refused.headers.get('content-type');
      assert.equal(type, 'application/problem+json; charset=utf-8');
    }
    const less = await sendAs(bytes.length + 10);
    assert.equal(less.status, 201);
    assert.equal(less.headers.get('upload-offset'), String(bytes.length));
  });

  test('an upload refuses a part at the wrong offset, and every part once it is cancelled', async () => {
    const owner = await forum().person();
    const upload = await TusUpload.begin(forum().url, owner, 40);
    const part = Buffer.from('hola');
    await expectProblem(await upload.send(forum().url, 10, part), 409, 'upload_conflict');
    assert.equal(await upload.offset(forum().url), 0);
    assert.equal((await upload.end(forum().url)).status, 204);
    await expectProblem(await upload.send(forum().url, 0, part), 404, 'upload_not_found');
  });

  test('unknown files and paths outside the image folder respond 404', async () => {
    for (const name of ['images/nada.png', '../tertulia.db', '..%2f..%2fetc%2fpasswd', '%00', '']) {
      for (const url of [`/api/files/${name}`, `/files/${name}`]) {
        assert.equal((await forum().call('GET', url)).status, 404, url);
      }
    }
  });
});

/** Names of all objects in the image store and of unfinished uploads. */
async function filesOf(forum: Forum): Promise<string[]> {
  return [...(await storedObjectKeys(forum)), ...(await unfinishedUploads(forum))];
}

test('metrics count complete uploads as accepted, rejected or failed', async () => {
  await using forum = await Forum.start('sqlite', { METRICS: 'on', LOG_LEVEL: 'silent' });
  const owner = await forum.person();
  const png = await colouredImage('olive').png().toBuffer();
  assert.equal((await forum.upload(owner, png)).status, 200);
  assert.equal((await forum.upload(owner, Buffer.from('hola'))).status, 422);
  forum.services.images.write = () => Promise.reject(new StoreUnavailable(new Error('down')));
  assert.equal((await forum.upload(owner, png, { filename: 'otra.png' })).status, 503);
  const { values = [] } = (await forum.metrics?.uploads.get()) ?? {};
  const counts = values.map(({ labels, value }) => [labels.outcome, value]);
  assert.deepEqual(counts, [
    ['accepted', 1],
    ['rejected', 1],
    ['failed', 1],
  ]);
});
