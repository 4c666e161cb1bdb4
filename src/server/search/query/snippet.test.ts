import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wideTokens } from '../index/stem.ts';
import { parseQuery } from './parse-query.ts';
import { findSnippet } from './snippet.ts';

/** Returns the snippet with its hits in brackets. */
function snippet(text: string, query: string, isTyping = false): string {
  const parts = findSnippet({ comment: text, mentions: [] }, parseQuery(query, isTyping));
  for (const [i, part] of parts.entries()) assert.notEqual(part.isHit, parts[i + 1]?.isHit);
  return parts.map((part) => (part.isHit ? `[${part.text}]` : part.text)).join('');
}

const filler = 'palabras que no se buscan y siguen, '.repeat(20);

test('a short text is shown whole, on one line', () => {
  assert.equal(
    snippet('La Canción\n\nde  las canciones', 'cancion'),
    'La [Canción] de las [canciones]',
  );
  assert.equal(snippet('Nada', 'otra'), 'Nada');
  assert.equal(snippet('', 'a'), '');
});

test('all forms of a word are marked as hits', () => {
  assert.equal(
    snippet('İ ß 👍🏽 an\u0303o\u0301 fin', 'año 👍'),
    'İ ß [👍🏽] [an\u0303o\u0301] fin',
  );
  assert.equal(snippet('en EE. UU. hay 1.000.000', 'eeuu 1000000'), 'en [EE. UU]. hay [1.000.000]');
  assert.equal(snippet('日本の漢字です', '漢字'), '日本の[漢字]です');
  assert.equal(snippet('las canciones', 'canc', true), 'las [canciones]');
});

test('words of a phrase are marked only where they follow each other', () => {
  assert.equal(
    snippet('de la casa la de la casa', '"la casa"'),
    'de [la] [casa] la de [la] [casa]',
  );
  assert.equal(snippet('el perro de la casa', 'perro "de la"'), 'el [perro] [de] [la] casa');
});

test('a snippet begins after a leading quotation, unless all hits are there, and has no quote marks', () => {
  const text = '> ¿Un perro?\n> > ¿Un gato?\n\nUn perro.\n> Un pez';
  for (const query of ['perro', 'perro gato'])
    assert.equal(snippet(text, query), 'Un [perro]. Un pez');
  assert.equal(snippet(text, 'nada'), 'Un perro. Un pez');
  assert.equal(snippet(text, 'gato'), '¿Un perro? ¿Un [gato]? Un perro. Un pez');
  assert.equal(snippet(`> ${filler}\n\nUn perro`, 'perro'), 'Un [perro]');
  assert.equal(snippet('> ¿Un perro?', 'nada'), '¿Un perro?');
});

test('a long text is cut to whole words around the most distinct hits', () => {
  const text = `gato gato gato ${filler}¿Un perro y un gato? ${filler}`;
  const found = snippet(text, 'perro gato');
  assert.match(found, /^…[a-z].*\[perro\] y un \[gato\]\? .*[a-z]…$/);
  assert.ok(found.length > 150 && found.length <= 206);
  const cut = found.replace(/[[\]…]/g, '');
  assert.ok(
    ` ${text} `.includes(` ${cut}`) && /^\P{L}/u.test(text.slice(text.indexOf(cut) + cut.length)),
  );
});

test('a hit at the end of a long text is shown with the text before it', () => {
  const found = snippet(`${filler} perro`, 'perro');
  assert.match(found, /^…[a-z].* \[perro\]$/);
  assert.ok(found.length > 180);
});

test('the beginning of a hit that is longer than a snippet is shown', () => {
  assert.equal(snippet(`un ${'a'.repeat(300)}`, 'aaa', true), `…[${'a'.repeat(200)}]…`);
});

test('a long text without hits is cut after a word', () => {
  assert.match(snippet(filler, 'nada'), /^palabras .* [a-z]+…$/);
});

test('a snippet never contains part of a character', () => {
  const characters = [
    '👩🏽\u200d💻',
    'e\u0323\u0301',
    '🇪🇸',
    '漢',
    'a',
    '👍🏿 ',
    '각',
    ' x\u0301',
    '.',
    '"\u0301',
  ];
  for (const character of characters) {
    for (const query of [character, `otra ${character}`, 'perro', 'nada']) {
      const text = `${character.repeat(300)} perro ${character.repeat(300)}`;
      const parts = findSnippet({ comment: text, mentions: [] }, parseQuery(query, true));
      const shown = parts.map((part) => part.text).join('');
      assert.ok(shown.length <= 210, `${shown.length} ${character}`);
      const left = shown
        .replaceAll('…', '')
        .replaceAll('perro', '')
        .replaceAll(character.trim(), '');
      assert.equal(left.trim(), '', character);
    }
  }
});

test('a text whose only hit is after 5,000 characters is shown from its beginning', () => {
  const shown = snippet(`${'hola y adiós, '.repeat(400)}perro`, 'perro');
  assert.match(shown, /^hola y adiós, [^[]+…$/);
});

test('a name in a mention is shown but is not a hit', () => {
  const text = 'Ana llama a @Ana Belén';
  const mentions = [{ start: 12, length: 10, accountId: 'a', name: 'Ana Belén' }];
  assert.deepEqual(findSnippet({ comment: text, mentions }, parseQuery('ana belén', false)), [
    { text: 'Ana', isHit: true },
    { text: ' llama a @Ana Belén', isHit: false },
  ]);
});

test('other forms of many words are marked nearly as fast as those of one', () => {
  const verbs =
    'contar saltar cortar pintar quemar bailar cantar nadar llegar pasear tocar mirar'.split(' ');
  const invented = Array.from({ length: 650 }, (_, index) =>
    `xyzqwk${1000 + index}ando`.replace(/\d/g, (digit) => 'bcdfglmnpr'[Number(digit)] ?? ''),
  );
  const text = `contaban saltaron ${invented.join(' ')}`;
  const queryOf = (words: string[]) => {
    const query = parseQuery(words.join(' '), false);
    const required = query.words.map(({ form, written, entry }) => [
      ...entry,
      ...wideTokens(form, written),
    ]);
    return { ...query, required };
  };
  const microsFor = (words: string[]) => {
    const query = queryOf(words);
    const times = Array.from({ length: 5 }, () => {
      const begin = process.threadCpuUsage();
      const parts = findSnippet({ comment: text, mentions: [] }, query);
      assert.ok(parts.some((part) => part.isHit));
      return process.threadCpuUsage(begin).user;
    });
    return Math.min(...times);
  };
  const one = microsFor(['contar']);
  const many = microsFor(verbs);
  assert.ok(many < 4 * one + 4000, `${many} instead of ${one} µs`);
});
