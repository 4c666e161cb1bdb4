import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import sharp from 'sharp';
import { hugePng } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum, type Person, uploadMetadata } from '../../../../test/forum/forum.ts';
import {
  onEveryImageSetup,
  storedObjectKeys,
  unfinishedUploads,
} from '../../../../test/forum/image-setups.ts';
import { TusUpload } from '../../../../test/forum/tus-upload.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { assetRoutes } from '../../../shared/routes.ts';
import { StoreUnavailable } from '../stores/errors.ts';

/** Creates a different image for each colour. */
const image = (colour: string) =>
  sharp({ create: { width: 40, height: 16, channels: 3, background: colour } });

const stored = async (response: Response) => {
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as StoredFile;
};

onEveryImageSetup('uploads', (forum) => {
  const start = (owner: Person, headers: Record<string, string>, body?: Uint8Array) =>
    forum().call('POST', apiRoutes.uploads, {
      token: owner.token,
      ...(body ? { body } : {}),
      headers: { 'tus-resumable': '1.0.0', ...headers },
    });
  const cover = uploadMetadata({ filename: 'a.png', use: 'cover' });
  const patch = (owner: Person, url: string, offset: number, bytes: Uint8Array) =>
    forum().call('PATCH', url, {
      token: owner.token,
      body: bytes,
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
      },
    });

  test('a request for an unsupported tus extension is rejected as invalid', async () => {
    const owner = await forum().person();
    for (const extension of ['upload-concat', 'upload-defer-length']) {
      const value = extension === 'upload-concat' ? 'partial' : '1';
      const headers = { 'upload-metadata': cover, 'upload-length': '9', [extension]: value };
      await expectProblem(await start(owner, headers), 400, 'invalid_upload');
    }
  });

  test('an upload in two parts responds with the metadata of the image, which is then served', async () => {
    const owner = await forum().person();
    const bytes = await image('red').png().toBuffer();
    const created = await start(owner, {
      'upload-length': String(bytes.length),
      'upload-metadata': uploadMetadata({ filename: 'Café con leche.png', use: 'cover' }),
    });
    assert.equal(created.status, 201);
    const url = created.headers.get('location') ?? '';
    assert.ok(url.startsWith('/api/uploads/'), url);
    assert.equal((await patch(owner, url, 0, bytes.subarray(0, 20))).status, 204);
    const head = await forum().call('HEAD', url, {
      token: owner.token,
      headers: { 'tus-resumable': '1.0.0' },
    });
    assert.equal(head.headers.get('upload-offset'), '20');
    const file = await stored(await patch(owner, url, 20, bytes.subarray(20)));

    assert.equal(file.fullPath, 'images/Café con leche.png');
    assert.equal(file.name, 'Café con leche.png');
    assert.equal(file.contentType, 'image/png');
    assert.equal(file.customMetadata.use, 'cover');

    const again = await forum().json<StoredFile>('GET', apiRoutes.storedFile(file.fullPath));
    assert.deepEqual(again, file);
    const served = await forum().call('GET', file.downloadURL);
    const servedBytes = Buffer.from(await served.arrayBuffer());
    assert.equal(servedBytes.length, file.size);
    assert.equal(file.md5Hash, createHash('md5').update(servedBytes).digest('base64'));
    assert.deepEqual(await firstPixel(servedBytes), [255, 0, 0]);
    assert.equal(served.headers.get('content-type'), 'image/png');
    assert.match(served.headers.get('cache-control') ?? '', /immutable/);
    assert.equal(served.headers.get('x-content-type-options'), 'nosniff');
    const cached = await forum().call('GET', file.downloadURL, {
      headers: { 'if-none-match': served.headers.get('etag') ?? '' },
    });
    assert.equal(cached.status, 304);
  });

  test('accepts all five formats and takes the content type from the bytes', async () => {
    const owner = await forum().person();
    const images = {
      'image/jpeg': await image('blue').jpeg().toBuffer(),
      'image/png': await image('blue').png().toBuffer(),
      'image/webp': await image('blue').webp().toBuffer(),
      'image/gif': await image('blue').gif().toBuffer(),
      'image/avif': await image('blue').avif().toBuffer(),
    };
    for (const [contentType, bytes] of Object.entries(images)) {
      const file = await stored(
        await forum().upload(owner, bytes, { filename: 'azul.exe', use: 'avatar' }),
      );
      assert.equal(file.contentType, contentType);
    }
  });

  test('an upload of the same name and bytes returns the same file; other bytes get a name with a hash', async () => {
    const owner = await forum().person();
    const one = await image('green').png().toBuffer();
    const two = await image('yellow').png().toBuffer();
    const first = await stored(await forum().upload(owner, one, { filename: 'foto.png' }));
    const same = await stored(await forum().upload(owner, one, { filename: 'foto.png' }));
    assert.deepEqual(same, first);
    const other = await stored(await forum().upload(owner, two, { filename: 'FOTO.png' }));
    assert.match(other.fullPath, /^images\/FOTO-[0-9a-f]{8}\.png$/);
  });

  test('ten concurrent uploads of different images under one name get ten names', async () => {
    const owners = await Promise.all(Array.from({ length: 3 }, () => forum().person()));
    const colours = Array.from({ length: 10 }, (_, i) => [i * 20, i, 255 - i]);
    const files = await Promise.all(
      colours.map(async (colour, i) => {
        const owner = owners[i % owners.length] as Person;
        const bytes = await image(`rgb(${colour})`).png().toBuffer();
        const file = { filename: 'igual.png', use: 'avatar' };
        return stored(await forum().upload(owner, bytes, file));
      }),
    );
    assert.equal(new Set(files.map(({ fullPath }) => fullPath)).size, 10);
    for (const [i, file] of files.entries()) {
      const served = await forum().call('GET', file.downloadURL);
      assert.deepEqual(await firstPixel(Buffer.from(await served.arrayBuffer())), colours[i]);
    }
  });

  test('rejects files that are not complete images and stores nothing of them', async () => {
    const owner = await forum().person();
    const before = await filesOf(forum());
    const png = await image('purple').png({ compressionLevel: 0 }).toBuffer();
    const bad = {
      text: Buffer.from('hola'),
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      'cut off': png.subarray(0, png.length / 2),
    };
    for (const [what, bytes] of Object.entries(bad)) {
      const response = await forum().upload(owner, bytes, { filename: `${what}.png` });
      await expectProblem(response, 422, 'not_an_image');
    }
    const huge = await forum().upload(owner, hugePng(16_000), { filename: 'enorme.png' });
    const { detail } = await expectProblem(huge, 422, 'image_too_large');
    assert.match(detail, /50 millones/);
    assert.deepEqual(await filesOf(forum()), before);
  });

  test('serves the variants of covers and avatars, and responds 404 for other sizes', async () => {
    const owner = await forum().person();
    const bytes = await sharp({
      create: { width: 1200, height: 700, channels: 3, background: 'teal' },
    })
      .jpeg()
      .toBuffer();
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
    const variant = (name: string) => assetRoutes.variant(cover.downloadURL, name);
    assert.equal(await sizeOf(variant('500.webp')), '500x200');
    assert.equal(await sizeOf(variant('1000.webp')), '1000x400');
    // A width above the largest stored variant gets that variant.
    assert.equal(await sizeOf(variant('2000.webp')), '1200x480');
    assert.equal(await sizeOf(variant('card.jpg')), '1200x630');
    for (const none of ['501.webp', '500.avif', 'full', '../full', '%2e%2e']) {
      assert.equal(await sizeOf(variant(none)), 404, none);
    }
    const avatar = await stored(
      await forum().upload(owner, bytes, { filename: 'f.jpg', use: 'avatar' }),
    );
    assert.equal(await sizeOf(assetRoutes.variant(avatar.downloadURL, '90.webp')), '90x90');
    // A width of another use gets the closest stored variant of this use.
    assert.equal(await sizeOf(variant('90.webp')), '500x200');
    assert.equal(await sizeOf(assetRoutes.variant(avatar.downloadURL, '1000.webp')), '360x360');
    assert.equal(await sizeOf(assetRoutes.variant(avatar.downloadURL, 'card.jpg')), '360x360');
  });

  test('serves ranges of an image, and 304 for a matching If-None-Match', async () => {
    const owner = await forum().person();
    const bytes = await image('olive').png().toBuffer();
    const { downloadURL, size } = await stored(await forum().upload(owner, bytes));
    const get = (headers: Record<string, string>) => forum().call('GET', downloadURL, { headers });
    const whole = Buffer.from(await (await get({})).arrayBuffer());
    const part = await get({ range: 'bytes=1-3' });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes 1-3/${size}`);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(1, 4));
    const beyond = await get({ range: `bytes=${size}-` });
    await expectProblem(beyond, 416, 'range_not_satisfiable');
    assert.equal(beyond.headers.get('content-range'), `bytes */${size}`);
    const etag = part.headers.get('etag') ?? '';
    assert.equal((await get({ 'if-none-match': `"x", ${etag}` })).status, 304);
    assert.equal((await get({ 'if-none-match': '"x"' })).status, 200);
  });

  test('accepts twelve concurrent uploads, more than it processes at once, and leaves no temporary files', async () => {
    const owners = await Promise.all(Array.from({ length: 3 }, () => forum().person()));
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const owner = owners[i % owners.length] as Person;
        const bytes = await image(`rgb(${i}, ${i}, 9)`).png().toBuffer();
        return (await forum().upload(owner, bytes, { filename: `${i}.png`, use: 'avatar' })).status;
      }),
    );
    assert.deepEqual(answers, Array(12).fill(200));
    const left = await unfinishedUploads(forum());
    assert.deepEqual(
      left.filter((name) => owners.some(({ id }) => name.startsWith(id))),
      [],
    );
  });

  test('a new request takes an upload over from a stalled one, with all bytes received so far', async () => {
    const owner = await forum().person();
    const bytes = await image('orange').png().toBuffer();
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

  test('rejects an empty file', async () => {
    const owner = await forum().person();
    const response = await start(owner, { 'upload-length': '0', 'upload-metadata': cover });
    assert.ok(response.status >= 400 && response.status < 500, String(response.status));
    assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  });

  test('rejects an upload larger than MAX_IMAGE_MB before its bytes are sent', async () => {
    const owner = await forum().person();
    const length = String(14 * 1024 * 1024);
    const response = await start(owner, { 'upload-length': length, 'upload-metadata': cover });
    const problem = await expectProblem(response, 413, 'too_large');
    assert.equal(problem.detail, 'La imagen pesa 14\u00a0MB; el máximo es 10\u00a0MB.');
  });

  test('rejects an upload with an unknown use or without tus headers', async () => {
    const owner = await forum().person();
    for (const metadata of ['', uploadMetadata({ filename: 'a.png', use: 'otro' })]) {
      const response = await start(owner, {
        'upload-length': '4',
        ...(metadata ? { 'upload-metadata': metadata } : {}),
      });
      await expectProblem(response, 400, 'invalid_upload');
    }
    const bare = await forum().call('POST', apiRoutes.uploads, { token: owner.token });
    await expectProblem(bare, 400, 'invalid_upload');
  });

  test('an upload with a wrong declared length does not become an image', async () => {
    const owner = await forum().person();
    const bytes = await image('navy').png().toBuffer();
    const sendAs = (length: number) =>
      start(
        owner,
        {
          'content-type': 'application/offset+octet-stream',
          'upload-length': String(length),
          'upload-metadata': cover,
        },
        bytes,
      );
    const more = await sendAs(bytes.length - 10);
    assert.ok(more.status >= 400 && more.status < 500, String(more.status));
    const less = await sendAs(bytes.length + 10);
    assert.equal(less.status, 201);
    assert.equal(less.headers.get('upload-offset'), String(bytes.length));
  });

  test('a part at the wrong offset responds 409', async () => {
    const owner = await forum().person();
    const created = await start(owner, { 'upload-length': '40', 'upload-metadata': cover });
    const url = created.headers.get('location') ?? '';
    const response = await patch(owner, url, 10, Buffer.from('hola'));
    await expectProblem(response, 409, 'upload_conflict');
  });

  test('another account can neither read nor resume nor cancel an upload', async () => {
    const owner = await forum().person();
    const other = await forum().person();
    const created = await start(owner, { 'upload-length': '40', 'upload-metadata': cover });
    const url = created.headers.get('location') ?? '';
    await expectProblem(await patch(other, url, 0, Buffer.from('x')), 404, 'upload_not_found');
    for (const method of ['HEAD', 'DELETE']) {
      const response = await forum().call(method, url, {
        token: other.token,
        headers: { 'tus-resumable': '1.0.0' },
      });
      assert.equal(response.status, 404);
    }
  });

  test('a cancelled upload responds 404', async () => {
    const owner = await forum().person();
    const created = await start(owner, { 'upload-length': '40', 'upload-metadata': cover });
    const url = created.headers.get('location') ?? '';
    const headers = { 'tus-resumable': '1.0.0' };
    const ended = await forum().call('DELETE', url, { token: owner.token, headers });
    assert.equal(ended.status, 204);
    await expectProblem(await patch(owner, url, 0, Buffer.from('x')), 404, 'upload_not_found');
  });

  test('unknown files and paths outside the image folder respond 404', async () => {
    for (const name of ['images/nada.png', '../tertulia.db', '..%2f..%2fetc%2fpasswd', '%00', '']) {
      for (const url of [`/api/files/${name}`, `/files/${name}`]) {
        const response = await forum().call('GET', url);
        assert.equal(response.status, 404, url);
      }
    }
  });
});

async function firstPixel(image: Buffer): Promise<number[]> {
  const { data } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray(0, 3)];
}

/** Names of all objects in the image store and of unfinished uploads. */
async function filesOf(forum: Forum): Promise<string[]> {
  return [...(await storedObjectKeys(forum)), ...(await unfinishedUploads(forum))];
}

test('metrics count complete uploads as accepted, rejected or failed', async () => {
  await using forum = await Forum.start('sqlite', { METRICS: 'on', LOG_LEVEL: 'silent' });
  const owner = await forum.person();
  const png = await image('olive').png().toBuffer();
  assert.equal((await forum.upload(owner, png)).status, 200);
  assert.equal((await forum.upload(owner, Buffer.from('hola'))).status, 422);
  forum.services.images.write = () => Promise.reject(new StoreUnavailable(new Error('down')));
  assert.equal((await forum.upload(owner, png, { filename: 'otra.png' })).status, 503);
  const { values = [] } = (await forum.metrics?.uploads.get()) ?? {};
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.outcome, value]),
    [
      ['accepted', 1],
      ['rejected', 1],
      ['failed', 1],
    ],
  );
});
