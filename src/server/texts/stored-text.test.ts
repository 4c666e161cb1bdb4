import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countStoredChars,
  mentionedAccounts,
  readText,
  searchedText,
  toStoredText,
  withoutCutMention,
} from './stored-text.ts';

const ana = '0198a000-0000-7000-8000-00000000000a';
const eva = '0198a000-0000-7000-8000-00000000000e';
const names = new Map([
  [ana, 'Ana'],
  [eva, 'Eva María'],
]);
const mention = (start: number, length: number, accountId: string) => ({
  start,
  length,
  accountId,
});
const stored = toStoredText('🦖 hola @Eva y @An.', [mention(8, 4, eva), mention(15, 3, ana)]);

test('a text is read with the current names and their ranges', () => {
  assert.deepEqual(readText(stored, names), {
    text: '🦖 hola @Eva María y @Ana.',
    mentions: [
      { ...mention(8, 10, eva), name: 'Eva María' },
      { ...mention(21, 4, ana), name: 'Ana' },
    ],
  });
  const again = readText(stored, names);
  assert.equal(toStoredText(again.text, again.mentions), stored);
});

test('an account without a name is shown as erased, and not as a mention', () => {
  assert.deepEqual(readText(stored, new Map([[ana, 'Ana']])), {
    text: '🦖 hola @cuenta eliminada y @Ana.',
    mentions: [{ ...mention(28, 4, ana), name: 'Ana' }],
  });
});

test('a text that mentions nobody is stored as it is', () => {
  for (const text of ['', 'hola @Ana', '\t\n']) {
    assert.equal(toStoredText(text), text);
    assert.deepEqual(readText(toStoredText(text), names), { text, mentions: [] });
    assert.equal(searchedText(toStoredText(text)), text);
  }
});

test('the ids of all mentioned accounts are found once each', () => {
  const twice = toStoredText('@Ana@Ana', [mention(0, 4, ana), mention(4, 4, ana)]);
  assert.deepEqual(
    mentionedAccounts([stored, null, twice, toStoredText('@Ana')]),
    new Set([eva, ana]),
  );
  assert.deepEqual(mentionedAccounts([null, toStoredText('hola')]), new Set());
});

test('a mention counts as one character, whatever the name', () => {
  assert.equal(countStoredChars(stored), [...'🦖 hola @ y @.'].length);
  assert.equal(countStoredChars(toStoredText('🦖')), 1);
});

test('names in mentions are not searched, and separate the words beside them', () => {
  const text = toStoredText('pre@Anapost', [mention(3, 4, ana)]);
  assert.equal(searchedText(text), 'pre@post');
});

test('the characters of a token survive normalising, trimming, JSON and a name that looks like one', () => {
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
    assert.equal(stored.normalize(form).trim(), stored.normalize(form));
    assert.deepEqual(
      mentionedAccounts([toStoredText(stored.normalize(form))]),
      new Set([eva, ana]),
    );
  }
  assert.equal(JSON.parse(JSON.stringify(stored)), stored);
  const hostile = new Map([[ana, `\u0002${eva}\u0003`]]);
  assert.equal(readText(toStoredText('@An', [mention(0, 3, ana)]), hostile).mentions.length, 1);
});

test('an incomplete token is read as plain text', () => {
  for (const text of ['\u0002', '\u0003', '\u0003\u0002', `\u0002${ana}`, '\u0002\u0002']) {
    assert.deepEqual(readText(toStoredText(text), names), { text, mentions: [] });
  }
});

test('a text that was truncated within a mention ends before the mention', () => {
  for (let length = 0; length <= stored.length; length++) {
    const cut = withoutCutMention(toStoredText(stored.slice(0, length)));
    assert.ok(stored.startsWith(cut));
    assert.ok(cut.lastIndexOf('\u0002') <= cut.lastIndexOf('\u0003'), cut);
  }
  assert.equal(withoutCutMention(stored), stored);
});
