import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../../test/processor-time.ts';
import { limits } from '../../shared/limits.ts';
import { findLinks } from './find-links.ts';

const links = (text: string) =>
  findLinks(text)
    .filter(({ isLink }) => isLink)
    .map((part) => part.text);

test('text without an address is one part', () => {
  assert.deepEqual(findLinks('hola\nqué tal'), [{ text: 'hola\nqué tal', isLink: false }]);
  assert.deepEqual(findLinks(''), []);
});

test('addresses become links and the rest stays as it is', () => {
  assert.deepEqual(findLinks('Mira https://ejemplo.es/a?b=1#c y dime'), [
    { text: 'Mira ', isLink: false },
    { text: 'https://ejemplo.es/a?b=1#c', isLink: true },
    { text: ' y dime', isLink: false },
  ]);
});

test("a sentence's punctuation is not part of the address", () => {
  assert.deepEqual(links('¿Vas a http://ejemplo.es? Sí: https://ejemplo.es/dos...'), [
    'http://ejemplo.es',
    'https://ejemplo.es/dos',
  ]);
  assert.deepEqual(links('«https://ejemplo.es/»'), ['https://ejemplo.es/']);
});

test('a bracket belongs to the address only if it was opened in it', () => {
  assert.deepEqual(links('(ver https://es.wikipedia.org/wiki/Nada_(novela))'), [
    'https://es.wikipedia.org/wiki/Nada_(novela)',
  ]);
  assert.deepEqual(links('(en https://ejemplo.es/a).'), ['https://ejemplo.es/a']);
});

test('nothing but http and https is a link', () => {
  assert.deepEqual(links('javascript:alert(1) data:text/html,a ftp://a.es xhttp://a.es'), []);
  assert.deepEqual(links('https:// http://'), []);
});

test('quotes and angle brackets end an address', () => {
  assert.deepEqual(links('<a href="https://ejemplo.es/a">x</a>'), ['https://ejemplo.es/a']);
});

test('the parts together are the text again', () => {
  const text = 'a https://a.es/), b (http://b.es/c(d)e]) … https://';
  assert.equal(
    findLinks(text)
      .map((part) => part.text)
      .join(''),
    text,
  );
});

test('an address of more than 2,048 characters stays plain text', () => {
  const address = `https://a.es/${'a'.repeat(limits.linkChars - 13)}`;
  assert.deepEqual(links(`(${address}).`), [address]);
  assert.deepEqual(links(`(${address}a).`), []);
});

test('addresses after the hundredth stay plain text', () => {
  const text = 'https://a.es '.repeat(limits.linksPerText + 5);
  assert.equal(links(text).length, limits.linksPerText);
  const parts = findLinks(text).map((part) => part.text);
  assert.equal(parts.join(''), text);
});

test('time grows with the length of the text and no faster', async () => {
  const hostile: Record<string, (length: number) => string> = {
    'punctuation and closing brackets': (length) =>
      `http://a${'.'.repeat(length / 2)}x${')'.repeat(length / 2)}`,
    'punctuation and brackets by turns': (length) => `http://a/${').'.repeat(length / 2)}`,
    'brackets within brackets': (length) =>
      `http://a/${'('.repeat(length / 2)}${'])'.repeat(length / 4)}`,
    schemes: (length) => 'http://'.repeat(length / 7),
    'short addresses': (length) => 'http://a.) '.repeat(length / 11),
    'addresses that are none': (length) => 'http://[.) '.repeat(length / 11),
  };
  for (const [label, make] of Object.entries(hostile)) {
    await assertLinear(label, limits.commentChars, (length) => findLinks(make(length)));
  }
});
