import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLinks, maxLinkChars, maxLinks } from './find-links.ts';

const links = (text: string) =>
  findLinks(text)
    .filter(({ isLink }) => isLink)
    .map((part) => part.text);
const joined = (text: string) =>
  findLinks(text)
    .map((part) => part.text)
    .join('');

test('splits text into addresses and the text between them', () => {
  assert.deepEqual(findLinks(''), []);
  assert.deepEqual(findLinks('hola\nqué tal'), [{ text: 'hola\nqué tal', isLink: false }]);
  assert.deepEqual(findLinks('Mira https://ejemplo.es/a?b=1#c y dime'), [
    { text: 'Mira ', isLink: false },
    { text: 'https://ejemplo.es/a?b=1#c', isLink: true },
    { text: ' y dime', isLink: false },
  ]);
  const text = 'a https://a.es/), b (http://b.es/c(d)e]) … https://';
  assert.equal(joined(text), text);
});

test('links only http and https addresses without a name before their host', () => {
  assert.deepEqual(links('javascript:alert(1) data:text/html,a ftp://a.es xhttp://a.es'), []);
  assert.deepEqual(links('https:// http://'), []);
  assert.deepEqual(links('https://banco.example@otro.example/ y https://ejemplo.es/@ana'), [
    'https://ejemplo.es/@ana',
  ]);
});

test('leaves punctuation, brackets, quotes and underscores around an address out of it', () => {
  const address = 'https://ejemplo.es/a';
  for (const text of [
    ...[`¿Vas a ${address}?`, `Sí: ${address}...`, `«${address}»`, `_${address}_`],
    ...[`(en ${address}).`, `(${address})b`, `(__${address}__.)`, `'${address}' y`],
    ...[`<a href="${address}">x</a>`, `<a href='${address}'>x</a>`],
  ]) {
    assert.deepEqual(links(text), [address], text);
  }
});

test('keeps brackets opened in an address, apostrophes within a word and underscores at the end', () => {
  for (const [text, address] of [
    ['(ver https://a.es/wiki/Nada_(novela))', 'https://a.es/wiki/Nada_(novela)'],
    ["https://a.es/L'Hospitalet_de_Llobregat, sí", "https://a.es/L'Hospitalet_de_Llobregat"],
    ['https://a.es/wiki/Nada_.', 'https://a.es/wiki/Nada_'],
    ['_https://a.es/a_b_', 'https://a.es/a_b'],
  ] as const) {
    assert.deepEqual(links(text), [address], text);
  }
});

test('leaves dashes, quotation marks, symbols and emoji around an address out of it', () => {
  const around =
    '—— –– ‒‒ ‑‑ −− «» »« ‹› “” „“ ‘’ `` ´´ ^^ || ￨￨ ~~ ** •• ·· ¡! ¿? §§ €€ °° →→ ★★ ™™ （） 【】';
  const emoji = '😀 👍🏽 ❤️ ☎ 1️⃣ #️⃣ 🇪🇸 👩‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ‼️ 🫪';
  const pairs = around.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)] as const);
  for (const [before, after] of [...pairs, ...emoji.split(' ').map((one) => [one, one] as const)]) {
    for (const address of ['https://ejemplo.es', 'https://ejemplo.es/a-b?c=d']) {
      const text = `${before}${address}${after}, y ${address}${after}`;
      assert.deepEqual(links(text), [address, address], text);
    }
  }
});

test('ends an address before a symbol, an emoji, a quotation mark or an invisible character', () => {
  const symbols = '|título `,`otro` 😀hola 1️⃣uno »dijo ›dijo ”dijo €uro'.split(' ');
  const invisible = [...'\u00ad\u200b\u200d\u200f\u2028\u2060\u2069\ufeff'].map((one) => `${one}b`);
  for (const after of [...symbols, ...invisible]) {
    assert.deepEqual(links(`https://ejemplo.es/a${after}`), ['https://ejemplo.es/a'], after);
  }
});

test('ends an address at the marks of links in Markdown and BBCode', () => {
  const address = 'https://ejemplo.es/a_(b)?c[]=d';
  for (const text of [`[${address}](${address})`, `![a](${address}) [${address}](https://`]) {
    assert.deepEqual(new Set(links(text)), new Set([address]), text);
  }
  assert.deepEqual(links('https://ejemplo.es/a[1](https://ejemplo.es/b)'), [
    'https://ejemplo.es/a[1',
    'https://ejemplo.es/b',
  ]);
  assert.deepEqual(links(`[url]${address}[/url] [url=${address}]a[/url]`), [address, address]);
  assert.deepEqual(links('[url]https://ejemplo.es[/url]'), ['https://ejemplo.es']);
});

test('keeps all characters that addresses may contain, in every script', () => {
  for (const address of [
    "https://ejemplo.es:8080/~ana/a-b_c.d;e@f!g$h&i'j*k+l,m=n%20?o=p&q[]={r}#s/t?u:v",
    ...['https://es.wikipedia.org/wiki/C++', 'https://ejemplo.es/?id=YWJjZA=='],
    ...['https://ejemplo.es/a?precio=5$', 'https://ejemplo.es/#', 'https://ejemplo.es/a-'],
    'https://ca.wikipedia.org/wiki/Col·legi_d’Arquitectes',
    'https://en.wikipedia.org/wiki/Michelson–Morley_experiment',
    'https://español.example/Ñandú/cafe\u0301',
    'https://ru.wikipedia.org/wiki/Ёлка',
    'https://ar.wikipedia.org/wiki/مُحَمَّد',
    'https://hi.wikipedia.org/wiki/हिन्दी',
    'https://th.wikipedia.org/wiki/ภาษาไทยที่',
    'https://ja.wikipedia.org/wiki/東京・品川',
    'http://[2001:db8::1]:3000/a',
  ]) {
    assert.deepEqual(links(`Mira ${address}, anda`), [address]);
  }
});

test('leaves an address of more than 2,048 characters, and those after the hundredth, as plain text', () => {
  const address = `https://a.es/${'a'.repeat(maxLinkChars - 13)}`;
  assert.deepEqual(links(`(${address}).`), [address]);
  assert.deepEqual(links(`(${address}a).`), []);
  const text = 'https://a.es '.repeat(maxLinks + 5);
  assert.equal(links(text).length, maxLinks);
  assert.equal(joined(text), text);
});
