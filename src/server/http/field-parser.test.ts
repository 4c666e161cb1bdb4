import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invisibleCharacters } from '../../../test/attacks/naughty-strings.ts';
import { ApiError } from './api-error.ts';
import { FieldParser } from './field-parser.ts';

const site = 'https://foro.example';
const bucket = 'https://cdn.example';

/** Returns the stored value; undefined when it is refused. */
function stored(parse: (fields: FieldParser) => string): string | undefined {
  const fields = new FieldParser();
  const value = parse(fields);
  try {
    fields.done();
    return value;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return undefined;
  }
}
const storedImage = (raw: string) =>
  stored((fields) => fields.imageUrl('cover', raw, [site, bucket]));

test('a text of invisible characters is refused, and one beside a letter is not', () => {
  const text = (raw: string) => stored((fields) => fields.text('name', raw, 100));
  for (const one of [
    '',
    ...invisibleCharacters,
    invisibleCharacters.join(''),
    ' \u200b\n\ufeff ',
  ]) {
    assert.equal(text(one), undefined, JSON.stringify(one));
    assert.match(text(`a${one}b`) ?? '', /^a.*b$/su, JSON.stringify(one));
  }
});

test('an image of this site is stored as its path', () => {
  for (const path of [
    ...['/files/images/a.jpg', '/files/images/caf%C3%A9%20(1).jpg', '/files/images/a.jpg/500.webp'],
    '/default-avatar.svg',
  ]) {
    for (const origin of ['', site, 'https://FORO.example', `${site}:443`, `${site}.`]) {
      assert.equal(storedImage(origin + path), path, origin + path);
    }
  }
});

test('a path of this site that is not an image is refused, with and without the origin', () => {
  for (const path of [
    ...['', '/', '/api/x', '/files', '/files/', '/files//a.jpg', '/files/images/', '/files/%'],
    ...['/files/../api/x', '/files/images/../../api/x', '/files/./images/a.jpg'],
    ...['/files/%2e%2e/api/x', '/files/images/..%2f..%2fapi', '/files/images%2Fa.jpg'],
    ...['/files/images/%zz', '/files/images/%ff.jpg', '/files/images/%c3%a9.jpg'],
    ...['/files/images/é.jpg', '/files/images/a.jpg?x=1', '/files/images/a.jpg#x'],
    ...['/files/\\evil', '\\files\\images\\a.jpg', '//foro.example/files/images/a.jpg'],
    ...['/default-avatar.svg/..', '/default-avatar.svg?x', '/otra/a.png'],
  ]) {
    for (const origin of ['', site, 'https://FORO.example:443', `${site}.`]) {
      assert.equal(storedImage(origin + path), undefined, origin + path);
    }
  }
});

test('a complete https URL of another site is stored unchanged, and anything else is refused', () => {
  for (const url of [
    ...['https://ejemplo.es/a.png?x=1', 'https://foro.example.ejemplo.es/files/../x'],
    ...['http://localhost:3000/a.png', 'https://foro.example:8443/files/%'],
  ]) {
    assert.equal(storedImage(url), url);
  }
  for (const url of [
    ...['a.png', 'data:image/png;base64,AAAA', 'javascript://foro.example/%0aalert(1)'],
    ...['https:x', 'https:/x', 'https:///ejemplo.es/x', 'https://', 'https://[/a.png'],
    ...['https:foro.example/files/images/a.jpg', 'https:\\\\foro.example/files/images/a.jpg'],
    ...['https://yo:clave@ejemplo.es/a.png', 'https://yo:clave@foro.example/files/images/a.jpg'],
    ...['ht\ntps://ejemplo.es/a.png', ' https://ejemplo.es/a.png', 'https://ejemplo.es/a b.png'],
    ...['http://foro.example/files/images/a.jpg', 'http://ejemplo.es/a.png'],
    ...[`${bucket}/images/a.full`, `${bucket}:443/a/../images/a.full?x`],
  ]) {
    assert.equal(storedImage(url), undefined, url);
  }
});
