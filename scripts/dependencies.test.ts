import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseSync } from 'oxc-parser';

const project = path.dirname(import.meta.dirname);
const dependenciesOf = (packageFile: string): string[] =>
  Object.keys(JSON.parse(readFileSync(path.join(project, packageFile), 'utf8')).dependencies);

/** Names of the packages that files import at run time, sorted. */
function importedPackages(pattern: string): string[] {
  const files = globSync(pattern, { cwd: project, exclude: ['**/*.test.*'] });
  assert.ok(files.length > 0);
  const specifiers = files.flatMap((file) => {
    const text = readFileSync(path.join(project, file), 'utf8');
    const { module } = parseSync(file, text);
    return [
      ...module.staticImports
        .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
        .map(({ moduleRequest }) => moduleRequest.value),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ isType, moduleRequest }) =>
          isType || !moduleRequest ? [] : moduleRequest.value,
        ),
      ),
      ...module.dynamicImports.flatMap(
        ({ moduleRequest: { start, end } }) => /^'(.*)'$/.exec(text.slice(start, end))?.[1] ?? [],
      ),
    ];
  });
  const names = specifiers
    .filter((specifier) => !/^[./]|^node:/.test(specifier))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
  return [...new Set(names)].sort();
}

test('the dependencies are the packages that the server imports, and Node', () => {
  const imported = importedPackages('src/{server,shared}/**/*.{ts,js}');
  assert.deepEqual(dependenciesOf('package.json').sort(), [...imported, 'node'].sort());
});

test('the dependencies of the client are the packages that its code and its build import', () => {
  const imported = importedPackages('src/client/**/*.{ts,tsx}');
  assert.deepEqual(dependenciesOf('src/client/package.json').sort(), imported);
});
