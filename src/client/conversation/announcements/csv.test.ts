import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from './csv.ts';

test('cells keep quotes, separators and lines, and none is a formula', () => {
  const row = ['=1+1', '+34 600', '-x', '@sum', 'Ana "la alta"; López\nB', ''];
  assert.equal(
    csvOf([row]),
    '\ufeff"\'=1+1";"\'+34 600";"\'-x";"\'@sum";"Ana ""la alta""; López\nB";""\r\n',
  );
});
