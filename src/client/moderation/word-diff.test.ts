import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { diffWords } from './word-diff.ts';

const marked = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) =>
      kind === 'same' ? text : kind === 'del' ? `[-${text}]` : `[+${text}]`,
    )
    .join('');

test('marks the words in which two versions differ', () => {
  assert.equal(marked('uno dos tres', 'uno dos tres'), 'uno dos tres');
  assert.equal(marked('uno dos tres', 'uno tres'), 'uno [-dos ]tres');
  assert.equal(marked('uno tres', 'uno dos tres cuatro'), 'uno [+dos ]tres[+ cuatro]');
  assert.equal(marked('', 'hola'), '[+hola]');
});

test('each version can be read from the marks, also of long texts', () => {
  const word = fc.constantFrom('a', 'b', 'a\n', ' ', 'ñ');
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
  const long = fc.constantFrom('', 'x '.repeat(500), 'y '.repeat(500));
  fc.assert(
    fc.property(text, text, long, long, (one, other, before, after) => {
      const parts = diffWords(before + one, after + other);
      const without = (kind: string) =>
        parts.map((part) => (part.kind === kind ? '' : part.text)).join('');
      assert.equal(without('ins'), before + one);
      assert.equal(without('del'), after + other);
    }),
  );
});
