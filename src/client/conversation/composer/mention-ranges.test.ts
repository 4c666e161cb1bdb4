import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMentionQuery, followEdit, storedRanges } from './mention-ranges.ts';

const ana = { start: 5, length: 4, accountId: 'ana' };
const text = 'Hola @Ana, ¿qué tal?';

test('a mention moves with text that is inserted or deleted before it', () => {
  assert.deepEqual(followEdit([ana], text, `¡${text}`), [{ ...ana, start: 6 }]);
  assert.deepEqual(followEdit([ana], text, text.slice(5)), [{ ...ana, start: 0 }]);
});

test('a mention stays where it is when text behind it changes', () => {
  assert.deepEqual(followEdit([ana], text, text.slice(0, 10)), [ana]);
  assert.deepEqual(followEdit([ana], text, 'Hola @Ana!'), [ana]);
});

test('a mention is dropped when its own text changes', () => {
  assert.deepEqual(followEdit([ana], text, 'Hola @Aana, ¿qué tal?'), []);
  assert.deepEqual(followEdit([ana], text, 'Hola An, ¿qué tal?'), []);
  assert.deepEqual(followEdit([ana], text, ''), []);
});

test('only the changed one of two mentions is dropped', () => {
  const both = [ana, { start: 12, length: 5, accountId: 'luis' }];
  assert.deepEqual(followEdit(both, 'Hola @Ana y @Luis', 'Hola @An y @Luis'), [
    { start: 11, length: 5, accountId: 'luis' },
  ]);
});

test('the ranges that are sent refer to the trimmed text in NFC', () => {
  const typed = '\n  cafe\u0301 @Jose\u0301 y';
  assert.deepEqual(storedRanges(typed, [{ start: 9, length: 6, accountId: 'jose' }]), [
    { start: 5, length: 5, accountId: 'jose' },
  ]);
});

test('the ranges that are sent refer to the text without control characters', () => {
  assert.deepEqual(
    storedRanges('\u0007\r\nHola\r\n\v@Ana', [{ start: 10, length: 4, accountId: 'a' }]),
    [{ start: 6, length: 4, accountId: 'a' }],
  );
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
