import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesEntityTag } from './entity-tags.ts';

const comparisons = ['weak', 'strong'] as const;

test('a header names an entity tag alone, in a list or by an asterisk, and a weak one only if weak ones count', () => {
  for (const header of ['"a"', '"b", "a"', '"b","a"', 'W/"b"  ,\tW/"c","a"', '"b,", "a"', '*']) {
    for (const comparison of comparisons)
      assert.ok(namesEntityTag(header, '"a"', comparison), header);
  }
  for (const header of ['W/"a"', '"b", W/"a"']) {
    assert.ok(namesEntityTag(header, '"a"') && !namesEntityTag(header, '"a"', 'strong'), header);
  }
});

test('a header does not name an entity tag that is another, partial or unterminated', () => {
  for (const header of ['', '"b"', 'a', '"a', 'a"', '"ab"', '"b\\"a"', '"*"', '"x, "a']) {
    for (const comparison of comparisons)
      assert.ok(!namesEntityTag(header, '"a"', comparison), header);
  }
  assert.ok(!namesEntityTag(undefined, '"a"'));
});
