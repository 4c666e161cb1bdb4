import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesEntityTag, namesEntityTag } from './entity-tags.ts';

test('a header names an entity tag alone or in a list; If-Match neither weakly nor with an asterisk', () => {
  for (const header of ['"a"', '"b", "a"', '"b","a"', 'W/"b"  ,\tW/"c","a"', '"b,", "a"']) {
    assert.ok(namesEntityTag(header, '"a"') && matchesEntityTag(header, '"a"'), header);
  }
  for (const header of ['W/"a"', '"b", W/"a"', '*']) {
    assert.ok(namesEntityTag(header, '"a"') && !matchesEntityTag(header, '"a"'), header);
  }
});

test('a header does not name an entity tag that is another, partial or unterminated', () => {
  for (const header of ['', '"b"', 'a', '"a', 'a"', '"ab"', '"b\\"a"', '"*"', '"x, "a']) {
    assert.ok(!namesEntityTag(header, '"a"') && !matchesEntityTag(header, '"a"'), header);
  }
  assert.ok(!namesEntityTag(undefined, '"a"'));
});
