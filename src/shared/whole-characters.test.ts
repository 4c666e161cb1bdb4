import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeCharacters } from './whole-characters.ts';

test('returns a text that is short enough as it is', () => {
  assert.equal(wholeCharacters('hola', 4), 'hola');
  assert.equal(wholeCharacters('🦖🦖', 2), '🦖🦖');
});

test('ends with a whole character of several code points', () => {
  assert.equal(wholeCharacters('a👨‍👩‍👧b', 5), 'a');
  assert.equal(wholeCharacters('a👨‍👩‍👧b', 6), 'a👨‍👩‍👧');
  assert.equal(wholeCharacters('cafe\u0301s', 4), 'caf');
  assert.equal(wholeCharacters('🇪🇸🇪🇸', 3), '🇪🇸');
});

test('counts code points, not code units', () => {
  assert.equal(wholeCharacters('𝒳'.repeat(10), 3), '𝒳'.repeat(3));
  assert.equal(wholeCharacters('e\u0301'.repeat(300), 301), 'e\u0301'.repeat(150));
});
