import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('among parts with as many distinct words, the one with the most hits is shown', () => {
  assert.match(snippet(`perro perro ${filler}un gato`, 'perro gato'), /^\[perro\] \[perro\] pal/);
  assert.match(snippet(`un perro ${filler}gato gato`, 'perro gato'), / \[gato\] \[gato\]$/);
});

test('a hit at the end of a long text is shown with the text before it', () => {
  const found = snippet(`${filler} perro`, 'perro');
  assert.match(found, /^…[a-z].* \[perro\]$/);
  assert.ok(found.length > 180);
  // The beginning of a hit that is longer than a snippet is shown.
  assert.equal(snippet(`un ${'a'.repeat(300)}`, 'aaa', true), `…[${'a'.repeat(200)}]…`);
});

test('a snippet never contains part of a character', () => {
  const joined = ['👩🏽\u200d💻', 'e\u0323\u0301', '🇪🇸', '👍🏿 ', '각', ' x\u0301', '"\u0301'];
  for (const character of [...joined, '漢', 'a', '.']) {
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

test('a text without hits, or with one after 5,000 characters only, is shown from its beginning up to a word', () => {
  assert.match(snippet(filler, 'nada'), /^palabras .* [a-z]+…$/);
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
