import assert from 'node:assert/strict';
import { test } from 'node:test';
import { megabytesText, numberText } from './number-texts.ts';

test('groups the digits of numbers from 10,000 with non-breaking spaces', () => {
  assert.equal(numberText(0), '0');
  assert.equal(numberText(9999), '9999');
  assert.equal(numberText(10_000), '10\u00a0000');
  assert.equal(numberText(1_020_304), '1\u00a0020\u00a0304');
  assert.equal(numberText(Infinity), 'Infinity');
});

test('puts a non-breaking space between a size and its unit', () => {
  assert.equal(megabytesText(10), '10\u00a0MB');
});
