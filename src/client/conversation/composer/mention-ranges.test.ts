import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMentionQuery, followEdit, storedRanges } from './mention-ranges.ts';

const ana = { start: 5, length: 4, accountId: 'ana' };
const text = 'Hola @Ana, ¿qué tal?';

test('a mention moves with text before it, stays when text behind it changes, and is dropped when its own changes', () => {
  for (const [edited, ranges] of [
    [`¡${text}`, [{ ...ana, start: 6 }]],
    [text.slice(5), [{ ...ana, start: 0 }]],
    [text.slice(0, 10), [ana]],
    ['Hola @Ana!', [ana]],
    ['Hola @Aana, ¿qué tal?', []],
    ['Hola An, ¿qué tal?', []],
    ['', []],
  ] as const) {
    assert.deepEqual(followEdit([ana], text, edited), ranges, edited);
  }
  const luis = { start: 12, length: 5, accountId: 'luis' };
  const kept = followEdit([ana, luis], 'Hola @Ana y @Luis', 'Hola @An y @Luis');
  assert.deepEqual(kept, [{ ...luis, start: 11 }], 'only the changed one is dropped');
});

test('the ranges that are sent refer to the trimmed text in NFC, without control characters and with bullets in place of those of symbol fonts', () => {
  for (const [typed, range, sent] of [
    ['\n  cafe\u0301 @Jose\u0301 y', [9, 6], [5, 5]],
    ['\u0007\r\nHola\r\n\v@Ana', [10, 4], [6, 4]],
    [' \uf0b7@Ana\n\uf0b7\t\t@Luis', [10, 5], [9, 5]],
    ['\uf0b7\n\uf0b7@Ana', [3, 4], [5, 4]],
  ] as const) {
    const [stored, ...others] = storedRanges(typed, [
      { start: range[0], length: range[1], accountId: 'ana' },
    ]);
    assert.deepEqual(stored, { start: sent[0], length: sent[1], accountId: 'ana' });
    assert.deepEqual(others, []);
  }
});

test('a range whose text combines with its neighbour is not sent', () => {
  for (const text of ['@Ane\u0301', '@Ane\u0308\u0301', '@Ane\u{1f3fd}', '@Ane\u200d\u{1f600}']) {
    assert.deepEqual(storedRanges(text, [{ start: 0, length: 4, accountId: 'ane' }]), [], text);
  }
});

test('a mention begins with an @ at the start of a word and two letters', () => {
  assert.deepEqual(findMentionQuery('Hola @Ana B'), { start: 5, prefix: 'Ana B' });
  assert.deepEqual(findMentionQuery('@An'), { start: 0, prefix: 'An' });
  assert.deepEqual(findMentionQuery('(@مح'), { start: 1, prefix: 'مح' });
  assert.deepEqual(findMentionQuery('@🦖 Di'), { start: 0, prefix: '🦖 Di' });
  for (const none of [
    '@A',
    '@🦖',
    'correo@ejemplo',
    '@ Ana',
    '@Ana\nB',
    'a@@An',
    `@${'x'.repeat(60)}`,
  ]) {
    assert.equal(findMentionQuery(none), null, none);
  }
});
