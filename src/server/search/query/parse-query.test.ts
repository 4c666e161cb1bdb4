import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matches, parseQuery } from './parse-query.ts';

const exactly = (token: string) => [token];

/** Queries, each with a text and whether the query finds it. */
const answers: [query: string, text: string, isFound: boolean][] = [
  ['perro gato', 'El gato y el perro', true],
  ['perro gato', 'El gato', false],
  ['"de la casa', 'la puerta de la casa', true],
  ['«de la casa»', 'la casa de la', false],
  ['“luces rojas”', 'La luz roja', true],
  ['perro "el gato" -rojo', 'El perro y el gato', true],
  ['perro -"el gato"', 'El perro y el gato', false],
  ['perro -"gato el"', 'El perro y el gato', true],
  ['perro -luces', 'El perro sin luz', false],
  ['perro - gato', 'El perro y el gato', true],
  ['perro -- gato', 'El perro y el gato', true],
  ['perro --gato', 'El perro y el gato', true],
  ['físico-químico', 'un análisis físico-químico', true],
  ['físico-químico', 'un químico, un físico', false],
  ['análisis -físico-químico', 'un análisis químico y físico', true],
  ['análisis -físico-químico', 'un análisis físico-químico', false],
  ['-@ana hola', 'hola, ana', false],
  [`no -"${'y '.repeat(16)}"`, `no ${'y '.repeat(16)}`, false],
  // A longer phrase is not excluded.
  [`no -"${'y '.repeat(17)}"`, `no ${'y '.repeat(17)}`, true],
  ['https://www.ejemplo.es/', 'Mira ejemplo.es', true],
  ['www.ejemplo.es', 'Mira http://ejemplo.es/foro', true],
  ['@ana_lopez', 'gracias, @ana_lopez', true],
  ['@ana_lopez', 'López y Ana', false],
  ['21/11/2026', 'el 21-11-2026', true],
  ['1.2.3', 'la versión 1.2.3', true],
  ['1.2.3', 'la versión 1.3.2', false],
  ["l'home", 'Ha vingut l’home', true],
  ['home', "Ha vingut l'home", true],
  ['漢字', '日本の漢字です', true],
  ['字漢', '日本の漢字です', false],
  ['👍🏽👎', 'No sé 👍👎🏿', true],
  ['¡¿hola?! ... …', 'Hola', true],
  ['NEAR OR AND *', 'or near and', true],
];

for (const [query, text, isFound] of answers) {
  test(`${query} ${isFound ? 'finds' : 'does not find'} "${text}"`, () => {
    assert.equal(matches(parseQuery(query, false), text), isFound);
  });
}

test('a query is parsed into required words, excluded words and phrases', () => {
  const { words, ...query } = parseQuery('Luces "de la casa" -gatos -"muy mal" luz', false);
  assert.deepEqual(
    words.map(({ form, start, isInPhrase }) => [form, start, isInPhrase]),
    [
      ['luces', 0, false],
      ['de', 7, true],
      ['la', 10, true],
      ['casa', 13, true],
    ],
  );
  assert.deepEqual(query, {
    required: ['luz', 'de', 'la', 'casa'].map(exactly),
    excluded: ['gato'],
    phrases: [['de', 'la', 'casa'].map(exactly)],
    excludedPhrases: [['muy', 'mal'].map(exactly)],
  });
});

test('a query without words, or with only excluded words, requires nothing', () => {
  for (const query of ['', ' ', '"" «» - -- * ¿?', '-gato', '-"el gato" -perro', '\0', '\ud83d']) {
    assert.deepEqual(parseQuery(query, true).required, [], query);
  }
});

test('the last word is a prefix only while typing, at the end, with three letters or more', () => {
  const prefixOf = (query: string, isTyping: boolean) =>
    parseQuery(query, isTyping)
      .required.flat()
      .find((match) => match.endsWith('*'));
  assert.equal(prefixOf('el perr', true), 'perr*');
  assert.equal(prefixOf('"el perr', true), 'perr*');
  assert.equal(prefixOf('el-PÉRR', true), 'perr*');
  assert.equal(prefixOf('el perr', false), undefined);
  for (const query of ['el perr ', 'el "perr"', 'perr,', 'el pe', 'hola -perr', 'perr 漢', '👍']) {
    assert.equal(prefixOf(query, true), undefined, query);
  }
});

test('only the first 16 words, phrases and words of a phrase are read', () => {
  const words = Array.from({ length: 40 }, (_, i) => `w${i}`);
  const read = words.slice(0, 16).map(exactly);
  assert.deepEqual(parseQuery(`w0 w0 w0 ${words.join(' ')}`, true).required, read);
  assert.deepEqual(parseQuery(`"${words.join(' ')}"`, true).phrases, [read]);
  assert.deepEqual(parseQuery(words.map((word) => `-${word}`).join(' '), true).excluded.length, 16);
  assert.equal(parseQuery('a-b '.repeat(100), true).phrases.length, 1);
});

test('the parser accepts every query', () => {
  const quotes = ['"', '-"', '" "', '"a a" ', "'", '-', 'a-b '];
  const words = ['a ', 'a', 'a.', '1.', '* ', 'NEAR ', 'constructor ', '__proto__ '];
  const broken = ['\0', '\ud800', '\udc00', '\u0301', '👩\u200d', '\u200d', '🏴'];
  for (const part of [...quotes, ...words, ...broken]) {
    const { required } = parseQuery(part.repeat(10_000 / part.length), true);
    assert.ok(required.length <= 16);
  }
  assert.deepEqual(parseQuery('constructor __proto__', false).required, [
    exactly('constructor'),
    exactly('proto'),
  ]);
});
