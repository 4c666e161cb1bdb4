import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mention } from '../../../shared/comments.ts';
import { maxLinks } from '../../../shared/find-links.ts';
import { parseText } from './parse-text.ts';

const mention = (start: number, length: number, name = 'Ana'): Mention => ({
  start,
  length,
  accountId: 'a1',
  name,
});

/** The blocks with their parts as text: links in `<>`, mentions in `[]`, quotations after `|`. */
function shown(text: string, mentions?: Mention[]): string[] {
  const marks = { text: ['', ''], link: ['<', '>'], mention: ['[', ']'] } as const;
  return parseText(text, mentions).map(({ isQuote, parts }) => {
    const words = parts.map(({ kind, text }) => marks[kind].join(text));
    return `${isQuote ? '|' : ''}${words.join('')}`;
  });
}

test('text without quotes is one paragraph with its line breaks', () => {
  assert.deepEqual(shown('uno\n \n  dos\ntres > cuatro'), ['uno\n \n  dos\ntres > cuatro']);
  assert.deepEqual(shown(''), []);
});

test('at most two blank lines in a row are shown, also between mentions and within a quote', () => {
  assert.deepEqual(shown('uno\n\n\ndos\n\n\n \n\ntres'), ['uno\n\n\ndos\n\n\ntres']);
  assert.deepEqual(shown('@Ana\n\n\n\n@Ana', [mention(0, 4), mention(8, 4)]), [
    '[@Ana]\n\n\n[@Ana]',
  ]);
  assert.deepEqual(shown('> uno\n> \n> \n> \n> dos'), ['|uno\n\n\ndos']);
});

test('consecutive lines that begin with > and a space are one quote without these marks', () => {
  assert.deepEqual(shown('> uno\n> \n> dos\nno\n>tampoco\n> sí'), [
    '|uno\n\ndos',
    'no\n>tampoco',
    '|sí',
  ]);
  // A quote within a quote shows its inner mark.
  assert.deepEqual(shown('> > uno'), ['|> uno']);
});

test('blank lines around quotes, and quotes without text, are left out', () => {
  assert.deepEqual(shown('hola\n\n> uno\n\n\n> dos\n\nadiós\n> \n'), [
    'hola',
    '|uno',
    '|dos',
    'adiós',
  ]);
});

test('links are found in paragraphs and quotes, a hundred in a whole text', () => {
  assert.deepEqual(shown('> ver https://a.es.\ny (https://b.es)'), [
    '|ver <https://a.es>.',
    'y (<https://b.es>)',
  ]);
  const blocks = parseText('> https://a.es\nhttps://b.es\n'.repeat(maxLinks));
  const links = blocks.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'link');
  assert.equal(links.length, maxLinks);
});

test('a mention shows the current name in place of its range, counted in UTF-16 units', () => {
  assert.deepEqual(shown('😀 @Anita, hola', [mention(3, 6, 'Ana B.')]), ['😀 [@Ana B.], hola']);
  assert.deepEqual(
    shown('> @Ana dijo\n@Ana @Ana', [mention(12, 4), mention(17, 4), mention(2, 4)]),
    ['|[@Ana] dijo', '[@Ana] [@Ana]'],
  );
  // A mention within an address ends the address.
  assert.deepEqual(shown('https://a.es/@Ana/b', [mention(13, 4)]), ['<https://a.es/>[@Ana]/b']);
});

test('ranges that overlap, span lines, cover a quote mark or lie beyond the text are plain text', () => {
  assert.deepEqual(shown('@Ana Bel', [mention(0, 4), mention(2, 6)]), ['[@Ana] Bel']);
  assert.deepEqual(shown('@Ana\n> Bel', [mention(0, 8), mention(5, 3)]), ['@Ana', '|Bel']);
  assert.deepEqual(shown('@Ana', [mention(0, 5), mention(-3, 2), mention(1, 0), mention(9, 1)]), [
    '@Ana',
  ]);
});
