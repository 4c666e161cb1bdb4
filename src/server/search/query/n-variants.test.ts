import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestVariants } from './n-variants.ts';

test('a query has variants with ñ for n and n for ñ, those with the fewest changes first', () => {
  assert.deepEqual(suggestVariants('ano'), ['año']);
  assert.deepEqual(suggestVariants('an\u0303o'), ['ano']);
  assert.deepEqual(suggestVariants('un "Ano nuevo" -MONTANA'), [
    'un "Año nuevo" -MONTANA',
    'un "Ano nuevo" -MONTAÑA',
    'un "Año nuevo" -MONTAÑA',
  ]);
  assert.deepEqual(suggestVariants('nandu'), ['ñandu']);
});

test('a query of many words has a variant with a change in each word', () => {
  const variants = suggestVariants('la senora y su nino pequeno manana en espana');
  assert.equal(variants.length, 8);
  assert.equal(variants.at(-1), 'la señora y su niño pequeño mañana en españa');
});

test('a query without n before a vowel has no variants', () => {
  for (const query of ['', 'hola', 'canto', 'en', '"', '12']) {
    assert.deepEqual(suggestVariants(query), [], query);
  }
});

test('a query has at most 8 variants, all distinct from it and from each other', () => {
  for (const query of [
    'una mañana en la montaña de enero, cansino',
    'ana '.repeat(2_500),
    'ñ'.repeat(10_000),
  ]) {
    const variants = suggestVariants(query);
    assert.equal(new Set([query, ...variants]).size, 9);
  }
});
