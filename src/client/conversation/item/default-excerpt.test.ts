import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openingOf } from './default-excerpt.ts';

test('the opening of a short comment is all of it', () => {
  assert.equal(openingOf('Uno solo'), 'Uno solo');
  assert.equal(openingOf('a'.repeat(100)), 'a'.repeat(100));
});

test('the opening of a long comment ends with a word', () => {
  const words = 'nueve más '.repeat(20).trim();
  assert.equal(openingOf(words), 'nueve más '.repeat(10).trim());
  assert.equal(openingOf(`${'a'.repeat(99)} ${'b'.repeat(9)}`), 'a'.repeat(99));
  assert.equal(openingOf(`${'a'.repeat(60)}\n\n${'b'.repeat(60)}`), 'a'.repeat(60));
});

test('the opening of a text without blanks is its first 100 characters, none of them cut', () => {
  assert.equal(openingOf('🍅'.repeat(200)), '🍅'.repeat(100));
  assert.equal(openingOf('👩‍🌾'.repeat(50)), '👩‍🌾'.repeat(33));
});

test('the opening is not what the comment quotes', () => {
  assert.equal(openingOf('> ¿Vienes?\n> Di algo\n\nClaro que sí'), 'Claro que sí');
  assert.equal(openingOf('> ¿Vienes?\n>\n> Di algo\nSí\n> algo'), 'Sí');
  assert.equal(openingOf('> ¿Vienes?\n>Sin blanco'), '>Sin blanco');
});

test('the opening of a comment that only quotes is what it quotes, without the marks', () => {
  assert.equal(openingOf('> ¿Vienes?'), '¿Vienes?');
  assert.equal(openingOf('> > ¿Vienes?\n> Di algo\n'), '¿Vienes?');
});
