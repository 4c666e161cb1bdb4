import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { avatarSource, coverSources, isSiteImage } from './image-sources.ts';

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
    assert.match(coverSources('/files/images/a.png', 'card').sizes ?? '', /464px.*50vw.*180px/);
  });

  test('show an avatar in the smallest variant of at least twice its size', () => {
    const address = '/files/images/yo.jpg';
    assert.equal(avatarSource(address, 30), `${address}/90.webp`);
    assert.equal(avatarSource(address, 42), `${address}/90.webp`);
    assert.equal(avatarSource(address, 180), `${address}/360.webp`);
  });

  test('have no variants for images of other sites and generated ones', () => {
    for (const url of ['https://ejemplo.es/a.jpg', '/azulejo/c1.svg', '/default-avatar.svg']) {
      assert.equal(isSiteImage(url), false);
      assert.deepEqual(coverSources(url, 'card'), { src: url });
      assert.equal(avatarSource(url, 42), url);
    }
  });
});
