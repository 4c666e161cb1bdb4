import assert from 'node:assert/strict';
import { test } from 'node:test';
import { megabyte, percentOf, progressText, sizeText } from './byte-texts.ts';

test('writes sizes in kB below one megabyte and in MB with a decimal comma above', () => {
  assert.equal(sizeText(1), '1\u00a0kB');
  assert.equal(sizeText(340 * 1024), '340\u00a0kB');
  assert.equal(sizeText(3.4 * megabyte), '3,4\u00a0MB');
});

test('writes progress in the unit of the total, and in percent', () => {
  assert.equal(
    progressText(1.2 * megabyte, 3.4 * megabyte),
    '1,2\u00a0MB de 3,4\u00a0MB\u00a0·\u00a035\u00a0%',
  );
  assert.equal(progressText(0, 3.4 * megabyte), '0,0\u00a0MB de 3,4\u00a0MB\u00a0·\u00a00\u00a0%');
  assert.equal(progressText(512, 2048), '1\u00a0kB de 2\u00a0kB\u00a0·\u00a025\u00a0%');
});

test('gives zero percent for a total of zero', () => {
  assert.equal(percentOf(0, 0), 0);
});
