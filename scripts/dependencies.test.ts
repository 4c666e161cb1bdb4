import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseSync } from 'oxc-parser';

const project = path.dirname(import.meta.dirname);
const read = (file: string) => JSON.parse(readFileSync(path.join(project, file), 'utf8'));
const dependenciesOf = (packageFile: string): string[] =>
  Object.keys(read(packageFile).dependencies);

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

test('the dependencies are the packages that the server imports', () => {
  const imported = importedPackages('src/{server,shared}/**/*.{ts,js}');
  assert.deepEqual(dependenciesOf('package.json').sort(), imported);
});

test('the lock file has the checksum of the same Node for each kind of machine', () => {
  const { optionalDependencies } = read('package.json');
  const { packages } = read('package-lock.json');
  const found = Object.keys(optionalDependencies).map((name) => packages[`node_modules/${name}`]);
  assert.deepEqual(
    found.map(({ os, cpu }) => `${os} ${cpu}`),
    ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64'],
  );
  assert.equal(new Set(found.map(({ version }) => version)).size, 1);
  for (const { integrity } of found) assert.match(integrity, /^sha512-/);
});

test('no package of the server runs a script when it is installed', () => {
  const packages: [string, Record<string, unknown>][] = Object.entries(
    read('package-lock.json').packages,
  );
  const scripted = packages.filter(([, one]) => one.hasInstallScript && !one.dev);
  assert.deepEqual(scripted, []);
});

test('the dependencies of the client are the packages that its code and its build import', () => {
  const imported = importedPackages('src/client/**/*.{ts,tsx}');
  assert.deepEqual(dependenciesOf('src/client/package.json').sort(), imported);
});
