import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bulletedText, cleanText, oneLine, visibleName } from './clean-text.ts';

test('every kind of line break becomes a newline', () => {
  assert.equal(cleanText('a\rb\r\nc\vd\fe\u2028f\u2029g\n\nh'), 'a\nb\nc\nd\ne\nf\ng\n\nh');
});

test('control characters other than tabs vanish, and NUL stays, to be rejected', () => {
  assert.equal(cleanText('a\u0007b\tc\u009fd\u0085e\u001b[31mf\u0000'), 'ab\tcde[31mf\u0000');
});

test('bullets of symbol fonts become one that every phone has, only where a line begins', () => {
  const pasted = '\uf0b7\tPan\r\n  \uf0a7 Leche\n\uf0d8Huevos \uf0b7 seis\n\uf0b7\n\uf8ff Manzana';
  const clean = '• Pan\n  • Leche\n• Huevos \uf0b7 seis\n• \n\uf8ff Manzana';
  assert.equal(bulletedText(pasted), clean);
  assert.equal(bulletedText(clean), clean);
});

test('a text of one line has spaces in place of line breaks', () => {
  assert.equal(oneLine('a\r\nb\n\nc'), 'a b  c');
});

test('a name has no invisible characters, and only single spaces', () => {
  assert.equal(visibleName('A\u00adn\u200ba\u2060 \u3164 \u202eM\ufe0f\u200d'), 'Ana M');
  assert.equal(visibleName('  Ana\u00a0 \t\nBelén'), ' Ana Belén');
});

test('an emoji in a name keeps its joiners and variation selectors', () => {
  for (const emoji of ['👨‍👩‍👧', '🏳️‍🌈', '❤️', '👩🏽‍🚀', '1️⃣', '🇪🇸']) {
    assert.equal(visibleName(`Dino ${emoji}`), `Dino ${emoji}`);
  }
  assert.equal(visibleName('👨\u200d a1\ufe0f ❤\ufe0f\ufe0f'), '👨 a1 ❤\ufe0f');
});
