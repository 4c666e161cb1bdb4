import assert from 'node:assert/strict';
import { test } from 'node:test';
import { misspellings, withOtherN } from './misspellings.ts';

test('the variants of a misspelt word include the intended one', () => {
  for (const pair of `croqetas/croquetas zapatiya/zapatilla vurro/burro uevos/huevos hojo/ojo girafa/jirafa kiosko/quiosco
    cavayo/caballo sapato/zapato corquetas/croquetas bicicletta/bicicleta ventna/ventana enpezar/empezar
    aora/ahora gitara/guitarra guebo/huevo abion/avion`.split(/\s+/)) {
    const [written = '', meant = ''] = pair.split('/');
    assert.ok(misspellings(written).includes(meant), pair);
  }
});

test('a word has at most 500 variants, without itself, whatever its length', () => {
  for (const length of [1, 3, 4, 8, 24, 25, 200]) {
    for (const letters of ['a', 'sc', 'llqugeb', 'xyz']) {
      const word = letters.repeat(length).slice(0, length);
      const variants = misspellings(word);
      assert.equal(new Set([word, ...variants]).size, 1 + variants.length);
      assert.ok(variants.length <= 500);
      assert.equal(variants.length > 0, length >= 4 && length <= 24, word);
    }
  }
  for (const word of ['1234', 'mp3mp3', '漢字漢字']) assert.deepEqual(misspellings(word), []);
});

test('a word has variants with ñ for n and n for ñ', () => {
  assert.deepEqual(withOtherN('ano'), ['año']);
  assert.deepEqual(withOtherN('canana').sort(), ['canaña', 'cañana', 'cañaña']);
  assert.deepEqual(withOtherN('hola'), []);
  assert.ok(withOtherN('n'.repeat(64)).length < 600);
});
