import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { onEngine } from '../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import { pageRoutes } from '../../shared/routes.ts';

interface Manifest {
  name: string;
  icons: { src: string; sizes: string; purpose: string }[];
}

onEngine('sqlite', 'installing the site', (forum) => {
  const readManifest = async () => {
    const response = await forum().call('GET', '/manifest.webmanifest');
    assert.match(response.headers.get('content-type') ?? '', /^application\/manifest\+json/);
    return { etag: response.headers.get('etag') ?? '', ...((await response.json()) as Manifest) };
  };
  const bytesOf = async (path: string) =>
    Buffer.from(await (await forum().call('GET', path)).arrayBuffer());

  test('every page leads to a manifest with the name of the community, and to icons of its tiles that change with the name', async () => {
    const html = await (await forum().call('GET', pageRoutes.login)).text();
    const links = [
      ...html.matchAll(/<link rel="(manifest|icon|apple-touch-icon)" href="([^"]+)"/g),
    ];
    assert.deepEqual(
      links.map(([, rel, href]) => [rel, href]),
      [
        ['icon', '/favicon.ico'],
        ['manifest', '/manifest.webmanifest'],
        ['apple-touch-icon', '/apple-touch-icon.png'],
      ],
    );
    const unnamed = await readManifest();
    assert.equal(unnamed.name, 'tertulia');
    const path = unnamed.icons[0]?.src ?? '';
    const before = await bytesOf(path);

    const name = '</script>"Coro \u202e👩‍👩‍👧‍👦';
    await changeSettings(forum(), { name });
    const named = await readManifest();
    assert.equal(named.name, '</script>"Coro 👩‍👩‍👧‍👦');
    assert.notEqual(named.etag, unnamed.etag);
    assert.ok(!before.equals(await bytesOf(path)));
    const kept = await forum().call('GET', '/manifest.webmanifest', {
      headers: { 'if-none-match': named.etag },
    });
    assert.equal(kept.status, 304);

    const purposes = named.icons.map(({ purpose }) => purpose);
    assert.deepEqual(purposes, ['any', 'any', 'maskable']);
    for (const { src, sizes } of [
      ...named.icons,
      { src: '/apple-touch-icon.png', sizes: '180x180' },
    ]) {
      const { format, width, height, hasAlpha } = await sharp(await bytesOf(src)).metadata();
      assert.deepEqual([format, `${width}x${height}`, hasAlpha], ['png', sizes, false]);
    }
    const ico = await bytesOf('/favicon.ico');
    // An icon with one image of 32 pixels, which begins after the head.
    assert.deepEqual([...ico.subarray(0, 8)], [0, 0, 1, 0, 1, 0, 32, 32]);
    const image = ico.subarray(ico.readUInt32LE(18));
    assert.equal(image.length, ico.readUInt32LE(14));
    assert.equal((await sharp(image).metadata()).width, 32);
  });

  test('icons and manifest stay open in a community of members', async () => {
    const readers = 'members' as const;
    await changeSettings(forum(), { name: 'Coro', readers, contact: 'marta@coro.example' });
    assert.equal((await readManifest()).name, 'Coro');
    assert.equal(
      (await forum().call('GET', '/favicon.ico')).headers.get('content-type'),
      'image/x-icon',
    );
  });
});
