import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { packedPackages } from './packed-packages.ts';

/** Names that a file imports at run time, by package. */
function* namesImported(source: string): Generator<[string, string]> {
  for (const [, what = '', from = ''] of source.matchAll(/^import ([^;]*?) from '([^']+)';/gms)) {
    if (what.startsWith('type ')) continue;
    const braces = /\{([^}]*)\}/.exec(what)?.[1] ?? '';
    for (const name of braces.split(',').map((one) => one.trim())) {
      if (name && !name.startsWith('type ')) yield [from, name.split(' as ')[0] ?? ''];
    }
    if (/^\w/.test(what)) yield [from, 'default'];
  }
}

test('packed packages have the names that the server imports of them, and no others', async () => {
  const imported = new Map(Object.keys(packedPackages).map((name) => [name, new Set<string>()]));
  const src = path.dirname(import.meta.dirname);
  for await (const file of glob('{server,shared}/**/*.ts', { cwd: src })) {
    if (/\.(test|fault)\.ts$/.test(file)) continue;
    const source = await readFile(path.join(src, file), 'utf8');
    for (const [from, name] of namesImported(source)) imported.get(from)?.add(name);
  }
  for (const [name, names] of Object.entries(packedPackages)) {
    assert.deepEqual([...(imported.get(name) ?? [])].sort(), names.toSorted(), name);
  }
});
