import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './api-error.ts';
import { FieldParser } from './field-parser.ts';

const site = 'https://foro.example';
const bucket = 'https://cdn.example';

/** Returns the URL in stored form; undefined when it is rejected. */
function stored(raw: string): string | undefined {
  const fields = new FieldParser();
  const value = fields.imageUrl('cover', raw, [site, bucket]);
  try {
    fields.done();
    return value;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return undefined;
  }
}

test('a URL of this site is stored as its path', () => {
  for (const path of [
    '/files/images/a.jpg',
    '/files/images/caf%C3%A9%20(1).jpg',
    '/files/images/a.jpg/500.webp',
    '/default-avatar.svg',
  ]) {
    const spellings = [site, 'https://FORO.example', `${site}:443`, `${site}.`];
    for (const origin of ['', ...spellings]) {
      assert.equal(stored(origin + path), path, origin + path);
    }
  }
});

test('rejects a path of this site that is not an image, with and without the origin', () => {
  for (const path of [
    '',
    '/',
    '/api/x',
    '/files',
    '/files/',
    '/files//a.jpg',
    '/files/images/',
    '/files/../api/x',
    '/files/images/../../api/x',
    '/files/./images/a.jpg',
    '/files/%2e%2e/api/x',
    '/files/images/..%2f..%2fapi',
    '/files/images%2Fa.jpg',
    '/files/%',
    '/files/images/%zz',
    '/files/images/%ff.jpg',
    '/files/images/%c3%a9.jpg',
    '/files/images/é.jpg',
    '/files/images/a.jpg?x=1',
    '/files/images/a.jpg#x',
    '/files/\\evil',
    '\\files\\images\\a.jpg',
    '/default-avatar.svg/..',
    '/default-avatar.svg?x',
    '//foro.example/files/images/a.jpg',
  ]) {
    for (const origin of ['', site, 'https://FORO.example:443', `${site}.`]) {
      assert.equal(stored(origin + path), undefined, origin + path);
    }
  }
});

test('accepts a complete https URL of another site unchanged', () => {
  for (const url of [
    'https://ejemplo.es/a.png?x=1',
    'https://foro.example.ejemplo.es/files/../x',
    'http://localhost:3000/a.png',
    'https://foro.example:8443/files/%',
  ]) {
    assert.equal(stored(url), url);
  }
  for (const url of [
    'https:x',
    'https:/x',
    'https:///ejemplo.es/x',
    'https:foro.example/files/images/a.jpg',
    'https:\\\\foro.example/files/images/a.jpg',
    'https://',
    'https://[/a.png',
    'https://yo:clave@foro.example/files/images/a.jpg',
    'ht\ntps://ejemplo.es/a.png',
    ' https://ejemplo.es/a.png',
    'http://foro.example/files/images/a.jpg',
    'javascript://foro.example/%0aalert(1)',
    `${bucket}/images/a.full`,
    `${bucket}:443/a/../images/a.full?x`,
  ]) {
    assert.equal(stored(url), undefined, url);
  }
});
