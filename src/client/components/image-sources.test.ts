import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { avatarSources, coverSources, isSiteImage } from './image-sources.ts';

suite('image sources', () => {
  test('offer a stored cover in its three variants', () => {
    const { src, srcSet } = coverSources('/files/images/a.png', 'page');
    assert.equal(src, '/files/images/a.png/1000.webp');
    assert.equal(
      srcSet,
      '/files/images/a.png/500.webp 500w, /files/images/a.png/1000.webp 1000w, ' +
        '/files/images/a.png/2000.webp 2000w',
    );
  });

  test('give the width of its column for the cover of a card', () => {
    assert.match(coverSources('/files/images/a.png', 'card').sizes ?? '', /464px.*50vw.*100vw/);
  });

  test('offer an avatar in all variants, with a src for twice its size', () => {
    const address = '/files/images/yo.jpg';
    assert.equal(avatarSources(address, 30).src, `${address}/90.webp`);
    assert.equal(avatarSources(address, 42).src, `${address}/90.webp`);
    assert.equal(avatarSources(address, 180).src, `${address}/360.webp`);
    assert.equal(avatarSources(address, 42).sizes, '42px');
    assert.match(avatarSources(address, 42).srcSet ?? '', /45w, .*90w, .*180w, .*360w$/);
  });

  test('have no variants for images of other sites and generated ones', () => {
    for (const url of ['https://ejemplo.es/a.jpg', '/azulejo/c1.svg', '/default-avatar.svg']) {
      assert.equal(isSiteImage(url), false);
      assert.deepEqual(coverSources(url, 'card'), { src: url });
      assert.deepEqual(avatarSources(url, 42), { src: url });
    }
  });
});
