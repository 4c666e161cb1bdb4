import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { onBothEngines } from '../../../test/both-engines.ts';
import { expectProblem, type Forum, type Person, uploadMetadata } from '../../../test/forum.ts';
import type { StoredFile } from '../../shared/images.ts';
import { apiRoutes } from '../../shared/routes.ts';

/** A picture of its own for every colour. */
const picture = (colour: string) =>
  sharp({ create: { width: 40, height: 16, channels: 3, background: colour } });

const stored = async (response: Response) => {
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as StoredFile;
};

onBothEngines('uploads', (forum) => {
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

  test('an upload in two parts is answered with its metadata, and its bytes are served', async () => {
    const owner = await forum().person();
    const bytes = await picture('red').png().toBuffer();
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
    assert.equal(file.size, bytes.length);
    assert.equal(file.md5Hash, createHash('md5').update(bytes).digest('base64'));
    assert.equal(file.customMetadata.use, 'cover');

    const again = await forum().json<StoredFile>('GET', apiRoutes.storedFile(file.fullPath));
    assert.deepEqual(again, file);
    const served = await forum().call('GET', file.downloadURL);
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), bytes);
    assert.equal(served.headers.get('content-type'), 'image/png');
    assert.match(served.headers.get('cache-control') ?? '', /immutable/);
    assert.equal(served.headers.get('x-content-type-options'), 'nosniff');
    const cached = await forum().call('GET', file.downloadURL, {
      headers: { 'if-none-match': served.headers.get('etag') ?? '' },
    });
    assert.equal(cached.status, 304);
  });

  test('all five formats are taken, each under what its bytes are', async () => {
    const owner = await forum().person();
    const made = {
      'image/jpeg': await picture('blue').jpeg().toBuffer(),
      'image/png': await picture('blue').png().toBuffer(),
      'image/webp': await picture('blue').webp().toBuffer(),
      'image/gif': await picture('blue').gif().toBuffer(),
      'image/avif': await picture('blue').avif().toBuffer(),
    };
    for (const [contentType, bytes] of Object.entries(made)) {
      const file = await stored(await forum().upload(owner, bytes, { filename: 'azul.exe' }));
      assert.equal(file.contentType, contentType);
    }
  });

  test('the same name and bytes give the same file, other bytes a name with a hash', async () => {
    const owner = await forum().person();
    const one = await picture('green').png().toBuffer();
    const two = await picture('yellow').png().toBuffer();
    const first = await stored(await forum().upload(owner, one, { filename: 'foto.png' }));
    const same = await stored(await forum().upload(owner, one, { filename: 'foto.png' }));
    assert.deepEqual(same, first);
    const other = await stored(await forum().upload(owner, two, { filename: 'FOTO.png' }));
    assert.match(other.fullPath, /^images\/FOTO-[0-9a-f]{8}\.png$/);
  });

  test('of ten uploads of one name at once every one keeps its own bytes', async () => {
    const owner = await forum().person();
    const pictures = await Promise.all(
      Array.from({ length: 10 }, (_, i) => picture(`rgb(${i},${i},${i})`).png().toBuffer()),
    );
    const files = await Promise.all(
      pictures.map(async (bytes) =>
        stored(await forum().upload(owner, bytes, { filename: 'igual.png' })),
      ),
    );
    assert.equal(new Set(files.map(({ fullPath }) => fullPath)).size, 10);
    for (const [i, file] of files.entries()) {
      const served = await forum().call('GET', file.downloadURL);
      assert.deepEqual(Buffer.from(await served.arrayBuffer()), pictures[i]);
    }
  });

  test('what is not a whole image is refused and nothing of it stays', async () => {
    const owner = await forum().person();
    const png = await picture('purple').png({ compressionLevel: 0 }).toBuffer();
    const bad: Record<string, Uint8Array> = {
      text: Buffer.from('hola'),
      html: Buffer.from('<!doctype html><script>alert(1)</script>'),
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      'cut off': png.subarray(0, png.length / 2),
      tiff: await picture('purple').tiff().toBuffer(),
    };
    for (const [what, bytes] of Object.entries(bad)) {
      const response = await forum().upload(owner, bytes, { filename: `${what}.png` });
      await expectProblem(response, 422, 'not_an_image');
    }
    assert.deepEqual(await leftOf(forum()), []);
  });

  test('an empty file is refused', async () => {
    const owner = await forum().person();
    const response = await start(owner, { 'upload-length': '0', 'upload-metadata': cover });
    assert.ok(response.status >= 400 && response.status < 500, String(response.status));
    assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  });

  test('what is larger than MAX_IMAGE_MB is refused before a byte is sent', async () => {
    const owner = await forum().person();
    const length = String(14 * 1024 * 1024);
    const response = await start(owner, { 'upload-length': length, 'upload-metadata': cover });
    const problem = await expectProblem(response, 413, 'too_large');
    assert.equal(problem.detail, 'La imagen pesa 14 MB; el máximo es 10 MB.');
  });

  test('an upload without a known use, or outside the protocol, is refused', async () => {
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

  test('a part at the wrong offset is a conflict and changes nothing', async () => {
    const owner = await forum().person();
    const created = await start(owner, { 'upload-length': '40', 'upload-metadata': cover });
    const url = created.headers.get('location') ?? '';
    const response = await patch(owner, url, 10, Buffer.from('hola'));
    await expectProblem(response, 409, 'upload_conflict');
  });

  test('nobody can see, go on with or end the upload of another', async () => {
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

  test('a cancelled upload is gone', async () => {
    const owner = await forum().person();
    const created = await start(owner, { 'upload-length': '40', 'upload-metadata': cover });
    const url = created.headers.get('location') ?? '';
    const headers = { 'tus-resumable': '1.0.0' };
    const ended = await forum().call('DELETE', url, { token: owner.token, headers });
    assert.equal(ended.status, 204);
    await expectProblem(await patch(owner, url, 0, Buffer.from('x')), 404, 'upload_not_found');
  });

  test('unknown files are problems, and no path leads out of the images', async () => {
    for (const name of ['images/nada.png', '../tertulia.db', '..%2f..%2fetc%2fpasswd', '%00', '']) {
      for (const url of [`/api/files/${name}`, `/files/${name}`]) {
        const response = await forum().call('GET', url);
        assert.equal(response.status, 404, url);
      }
    }
  });
});

/** Files of unfinished uploads and temporary files of the store. */
async function leftOf(forum: Forum): Promise<string[]> {
  const { dataDir } = forum.deps.config;
  const uploads = await readdir(path.join(dataDir, 'uploads'));
  const images = await readdir(path.join(dataDir, 'images')).catch(() => []);
  return [
    ...uploads.filter((name) => name.startsWith('purple')),
    ...images.filter((name) => name.endsWith('.tmp')),
  ];
}
