import assert from 'node:assert/strict';
import { test } from 'node:test';
import { avatarSource, commentImageSources, coverSources, isSiteImage } from './image-sources.ts';

const address = '/files/images/a.png';
const small = `${address}/500.webp 500w, ${address}/1000.webp 1000w`;
const variants = `${small}, ${address}/2000.webp 2000w`;

test('a stored cover or image of a comment is offered in its three variants, on a card in the two smaller ones, with the width at which it is shown', () => {
  const cover = coverSources(address, 'page');
  assert.deepEqual([cover.src, cover.srcSet], [`${address}/1000.webp`, variants]);
  const card = coverSources(address, 'card');
  assert.deepEqual([card.src, card.srcSet], [`${address}/1000.webp`, small]);
  assert.match(card.sizes ?? '', /307px.*50vw.*180px/);
  const [alone, one] = [commentImageSources(address, 1), commentImageSources(address, 2)];
  assert.deepEqual([alone.src, alone.srcSet], [`${address}/500.webp`, variants]);
  assert.match(alone.sizes ?? '', /480px$/);
  assert.equal(one.sizes, '240px');
});

test('an avatar is shown in the smallest variant of at least twice its size', () => {
  for (const [size, variant] of [
    [42, '90.webp'],
    [45, '90.webp'],
    [46, '360.webp'],
    [400, '360.webp'],
  ] as const) {
    assert.equal(avatarSource(address, size), `${address}/${variant}`);
  }
});

test('images of other sites and generated ones have no variants', () => {
  for (const url of ['https://ejemplo.es/a.jpg', '/azulejo/c1.svg', '/default-avatar.svg']) {
    assert.equal(isSiteImage(url), false);
    assert.deepEqual(coverSources(url, 'card'), { src: url });
    assert.deepEqual(commentImageSources(url, 1), { src: url });
    assert.equal(avatarSource(url, 42), url);
  }
});
