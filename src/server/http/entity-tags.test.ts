import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesEntityTag } from './entity-tags.ts';

test('an entity tag in a list matches, weak or strong', () => {
  for (const header of [
    '"a"',
    'W/"a"',
    '"b", "a"',
    '"b","a"',
    'W/"b"  ,\tW/"a"',
    '"b,", "a"',
    '*',
  ]) {
    assert.equal(namesEntityTag(header, '"a"'), true, header);
  }
});

test('a different, a partial and an unterminated entity tag do not match', () => {
  for (const header of [
    undefined,
    '',
    '"b"',
    'a',
    '"a',
    'a"',
    '"ab"',
    '"b\\"a"',
    '"*"',
    '"x, "a',
  ] as const) {
    assert.equal(namesEntityTag(header, '"a"'), false, String(header));
  }
});
