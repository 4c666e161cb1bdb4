import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readingTexts } from './reading-texts.ts';

test("'y' becomes 'e' before the sound of i", () => {
  for (const name of ['Inés', 'Íñigo', 'ignacio', 'Hilario', 'Isaac']) {
    assert.equal(readingTexts.and(name), 'e', name);
  }
  for (const name of ['Luis', 'Ian', 'Hielo', 'Yolanda', 'Hugo', '']) {
    assert.equal(readingTexts.and(name), 'y', name);
  }
});
