import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';

test('the built page renderer calls React directly, not through a getter for each hook and element', async () => {
  const file = path.resolve(import.meta.dirname, '../../../dist/server/entry-server.js');
  const code = await readFile(file, 'utf8');
  assert.match(code, /data-for/);
  assert.deepEqual(code.match(/\.(?:jsxs?|useState|useContext)\)\(/g), null);
});
