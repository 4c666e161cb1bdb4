import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLinks, maxLinkChars, maxLinks } from './find-links.ts';

const links = (text: string) =>
  findLinks(text)
    .filter(({ isLink }) => isLink)
    .map((part) => part.text);

test('returns text without an address as one part', () => {
  assert.deepEqual(findLinks('hola\nqué tal'), [{ text: 'hola\nqué tal', isLink: false }]);
  assert.deepEqual(findLinks(''), []);
});

test('splits text into addresses and the text between them', () => {
  assert.deepEqual(findLinks('Mira https://ejemplo.es/a?b=1#c y dime'), [
    { text: 'Mira ', isLink: false },
    { text: 'https://ejemplo.es/a?b=1#c', isLink: true },
    { text: ' y dime', isLink: false },
  ]);
});

test('leaves punctuation at the end of a sentence out of the address', () => {
  assert.deepEqual(links('¿Vas a http://ejemplo.es? Sí: https://ejemplo.es/dos...'), [
    'http://ejemplo.es',
    'https://ejemplo.es/dos',
  ]);
  assert.deepEqual(links('«https://ejemplo.es/»'), ['https://ejemplo.es/']);
});

test('includes a closing bracket only if it was opened in the address', () => {
  assert.deepEqual(links('(ver https://es.wikipedia.org/wiki/Nada_(novela))'), [
    'https://es.wikipedia.org/wiki/Nada_(novela)',
  ]);
  assert.deepEqual(links('(en https://ejemplo.es/a).'), ['https://ejemplo.es/a']);
  assert.deepEqual(links('https://ejemplo.es/a)b(c)'), ['https://ejemplo.es/a)b(c)']);
});

test('links only http and https addresses', () => {
  assert.deepEqual(links('javascript:alert(1) data:text/html,a ftp://a.es xhttp://a.es'), []);
  assert.deepEqual(links('https:// http://'), []);
});

test('ends an address at quotes and angle brackets', () => {
  assert.deepEqual(links('<a href="https://ejemplo.es/a">x</a>'), ['https://ejemplo.es/a']);
  assert.deepEqual(links("<a href='https://ejemplo.es/a'>x</a>"), ['https://ejemplo.es/a']);
});

test('keeps an apostrophe within a word, and not one that closes a quotation', () => {
  assert.deepEqual(links("https://ca.wikipedia.org/wiki/L'Hospitalet_de_Llobregat, sí"), [
    "https://ca.wikipedia.org/wiki/L'Hospitalet_de_Llobregat",
  ]);
  assert.deepEqual(links("'https://ejemplo.es/a' y 'https://ejemplo.es/b'."), [
    'https://ejemplo.es/a',
    'https://ejemplo.es/b',
  ]);
});

test('keeps an underscore at the end', () => {
  assert.deepEqual(links('https://ejemplo.es/wiki/Nada_.'), ['https://ejemplo.es/wiki/Nada_']);
});

test('ends an address before invisible characters', () => {
  for (const invisible of '\u00ad\u200b\u200d\u200f\u2028\u2060\u2069\ufeff') {
    const text = `https://ejemplo.es/a${invisible}b`;
    assert.deepEqual(links(text), ['https://ejemplo.es/a'], JSON.stringify(text));
  }
});

test('returns parts that joined give the text', () => {
  const text = 'a https://a.es/), b (http://b.es/c(d)e]) … https://';
  assert.equal(
    findLinks(text)
      .map((part) => part.text)
      .join(''),
    text,
  );
});

test('leaves an address of more than 2,048 characters as plain text', () => {
  const address = `https://a.es/${'a'.repeat(maxLinkChars - 13)}`;
  assert.deepEqual(links(`(${address}).`), [address]);
  assert.deepEqual(links(`(${address}a).`), []);
});

test('leaves addresses after the hundredth as plain text', () => {
  const text = 'https://a.es '.repeat(maxLinks + 5);
  assert.equal(links(text).length, maxLinks);
  const parts = findLinks(text).map((part) => part.text);
  assert.equal(parts.join(''), text);
});
