import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseText } from '../../src/client/conversation/text/parse-text.ts';
import {
  countStoredChars,
  mentionedAccounts,
  readText,
  searchedText,
  toStoredText,
} from '../../src/server/texts/stored-text.ts';
import type { Mention } from '../../src/shared/comments.ts';
import { findLinks } from '../../src/shared/find-links.ts';
import { limits } from '../../src/shared/limits.ts';
import { bodyTexts, headerTexts } from '../attacks/sent-texts.ts';
import { Forum } from '../forum/forum.ts';
import { assertLinear } from './processor-time.ts';

type Patterns = Record<string, (length: number) => string>;

test('processor time grows linearly with the length of a sent text', async () => {
  const hostile: Patterns = {
    'marks in the wrong order': (length) => `a${'\u0316\u0301'.repeat((length - 1) / 2)}`,
    'marks that decompose': (length) => '\u0f73'.repeat(length),
    'marks in the wrong order, a hundred in a row': (length) =>
      `a${'\u0f73'.repeat(100)}`.repeat(length / 101),
    'white space within': (length) => `a${' '.repeat(length - 2)}a`,
    'characters that show nothing': (length) => `${'\u200b'.repeat(length - 1)}a`,
    'dots and slashes': (length) => '../'.repeat(length / 3),
    colons: (length) => ':'.repeat(length),
    'an address': (length) => `https://a/${'%'.repeat(length - 10)}`,
    escapes: (length) => '"\\\n'.repeat(length / 3),
  };
  const forum = await Forum.start('sqlite');
  try {
    const person = await forum.person();
    const texts = [...bodyTexts(forum, person), ...headerTexts(forum, person)];
    for (const [name, maxChars, sendText] of texts) {
      for (const [pattern, make] of Object.entries(hostile)) {
        await assertLinear(`${name}, ${pattern}`, maxChars, async (length) => {
          const response = await sendText(make(length));
          await response.arrayBuffer();
          assert.ok(response.status < 500, `${name}, ${pattern}: ${response.status}`);
        });
      }
    }
  } finally {
    await forum.stop();
  }
});

test('links are found in processor time linear in the length of the text', async () => {
  const hostile: Patterns = {
    'punctuation and closing brackets': (length) =>
      `http://a${'.'.repeat(length / 2)}x${')'.repeat(length / 2)}`,
    'alternating punctuation and brackets': (length) => `http://a/${').'.repeat(length / 2)}`,
    'brackets within brackets': (length) =>
      `http://a/${'('.repeat(length / 2)}${'])'.repeat(length / 4)}`,
    schemes: (length) => 'http://'.repeat(length / 7),
    'marks of links in Markdown': (length) => 'http://a]('.repeat(length / 10),
    'short addresses': (length) => 'http://a.) '.repeat(length / 11),
    'invalid addresses': (length) => 'http://[.) '.repeat(length / 11),
  };
  for (const [label, make] of Object.entries(hostile)) {
    await assertLinear(label, limits.commentChars, (length) => findLinks(make(length)));
  }
});

test('a text is parsed in processor time linear in its length', async () => {
  const hostile: Patterns = {
    'quote marks': (length) => '> '.repeat(length / 2),
    'empty quotes': (length) => '> \n'.repeat(length / 3),
    'line breaks': (length) => `a${'\n'.repeat(length - 2)}b`,
    'alternating quotes': (length) => '> a\nb\n'.repeat(length / 6),
    'addresses in quotes': (length) => '> http://a.)\n'.repeat(length / 13),
    'brackets and punctuation': (length) => `http://a/${').'.repeat(length / 2)}`,
    spaces: (length) => `a${' '.repeat(length - 2)}b`,
  };
  for (const [label, make] of Object.entries(hostile)) {
    await assertLinear(label, limits.commentChars, (length) => parseText(make(length)));
  }
  const mentions = (length: number): Mention[] =>
    Array.from({ length }, (_, index) => ({
      start: index * 2,
      length: 1,
      accountId: 'a1',
      name: 'Ana',
    }));
  await assertLinear('mentions', limits.commentChars / 2, (length) =>
    parseText('@ '.repeat(length), mentions(length)),
  );
});

test('a stored text is read and searched in processor time linear in its length', async () => {
  const hostile: Patterns = {
    mentions: (length) => '\u0002a\u0003'.repeat(length / 3),
    'beginnings of mentions': (length) => '\u0002a'.repeat(length / 2),
    'ends of mentions': (length) => '\u0003'.repeat(length),
    'a mention without an end': (length) => `\u0002${'a'.repeat(length - 1)}`,
  };
  const names = new Map([['a', 'Ana']]);
  for (const [label, make] of Object.entries(hostile)) {
    await assertLinear(label, limits.commentChars, (length) => {
      const text = toStoredText(make(length));
      const read = readText(text, names);
      toStoredText(read.text, read.mentions);
      countStoredChars(text);
      searchedText(text);
      mentionedAccounts([text]);
    });
  }
});
