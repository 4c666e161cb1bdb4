import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailKey } from './email-key.ts';

test('addresses that differ in case, Unicode form or invisible characters have the same key', () => {
  const same = [
    ['Ana@Ejemplo.ES', ' ana@ejemplo.es '],
    ['jose\u0301@ejemplo.es', 'jos\u00e9@ejemplo.es'],
    ['ａｎａ@ejemplo.es', 'ana@ejemplo.es'],
    ['STRASSE@ejemplo.es', 'straße@ejemplo.es'],
    ['STRAẞE@ejemplo.es', 'straße@ejemplo.es'],
    ['ΟΔΥΣΣΕΥΣ@ejemplo.es', 'οδυσσευς@ejemplo.es'],
    ['ﬁn@ejemplo.es', 'FIN@ejemplo.es'],
    ['\u202a \u200bana@ejem\u00adplo\u2060.es\ufeff', 'ana@ejemplo.es'],
  ];
  for (const [one = '', other = ''] of same) assert.equal(emailKey(one), emailKey(other), one);
});

test('different addresses have different keys', () => {
  assert.notEqual(emailKey('ana@ejemplo.es'), emailKey('aña@ejemplo.es'));
  assert.notEqual(emailKey('a.na@ejemplo.es'), emailKey('ana@ejemplo.es'));
});

test('the key of a key is the key itself', () => {
  for (const email of ['İstanbul@x', 'ﬀ@x', 'ΐ@x', 'ŉ@x', '\u0345@x']) {
    assert.equal(emailKey(emailKey(email)), emailKey(email), email);
  }
});
