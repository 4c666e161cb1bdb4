/**
 * Checks the layers that docs/architecture.md lists from top to bottom: a file must not import from a line
 * above its own, types included, and no files may import each other in a circle. No script of the browser may contain
 * TypeBox. Only the database and the settings may ask which engine is in use. Exits with 1 otherwise.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** A line of the list: the folder of its list, its position there, and its text. */
interface Layer {
  root: string;
  index: number;
  name: string;
}

interface Import {
  /** A file, or a package. */
  to: string;
  isPackage: boolean;
  isDynamic: boolean;
  /** Whether it imports only types. */
  isType: boolean;
}

const drawing = readFileSync('docs/architecture.md', 'utf8');
const layers = [...drawing.matchAll(/^```layers (\S+)$([^`]*)^```/gm)].flatMap(
  ([, root = '', lines = '']): Layer[] =>
    lines
      .trim()
      .split('\n')
      .map((line, index) => ({ root, index, name: line.split(' ')[0] ?? '' })),
);
const roots = [...new Set(layers.map(({ root }) => root))];
const faults: string[] = [];

/** The layer of a file: the longest name that contains it, or `*` for a file of the root without a line. */
function layerOf(file: string): Layer | undefined {
  const within = layers.filter(({ root, name }) => {
    if (name === '*') return path.dirname(file) === root;
    return name.endsWith('/') ? file.startsWith(`${root}/${name}`) : file === `${root}/${name}`;
  });
  return within.sort((one, other) => other.name.length - one.name.length)[0];
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const { module } = parseSync(file, text);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  const found = [
    ...module.staticImports.map(({ moduleRequest: { value }, entries }) => ({
      value,
      isDynamic: false,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...exported.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ value: moduleRequest.value, isDynamic: false, isType }] : [],
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      value: text.slice(start + 1, end - 1),
      isDynamic: true,
      isType: false,
    })),
  ];
  return found.map(({ value, ...how }) => {
    const isPackage = !value.startsWith('.');
    return { to: isPackage ? value : path.join(path.dirname(file), value), isPackage, ...how };
  });
}

const files = globSync('src/**/*.{ts,tsx,js}', { exclude: ['**/*.test.*'] });
const graph = new Map(files.map((file) => [file, importsOf(file)]));

for (const [file, imports] of graph) {
  const root = roots.find((one) => file.startsWith(`${one}/`));
  const from = layerOf(file);
  if (!from && !file.startsWith('src/shared/')) {
    faults.push(`${file} belongs to no line of docs/architecture.md`);
  }
  for (const { to, isPackage, isDynamic } of imports) {
    if (isPackage) continue;
    const target = layerOf(to);
    const isNear = to.startsWith(`${root}/`) || to.startsWith('src/shared/');
    if (!isNear) faults.push(`${file} imports ${to}`);
    // In the browser, code that `import()` loads may be above the code that loads it.
    if (!from || !target || (isDynamic && root === 'src/client')) continue;
    if (target.root === from.root && target.index < from.index) {
      faults.push(`${file} (${from.name}) imports ${to} (${target.name}), which is above it`);
    }
  }
}

/** Files whose imports were all followed without finding a circle. */
const done = new Set<string>();

function findCircles(file: string, way: string[]): void {
  const begin = way.indexOf(file);
  if (begin >= 0) {
    faults.push(`a circle: ${[...way.slice(begin), file].join(' → ')}`);
    return;
  }
  if (done.has(file)) return;
  for (const { to, isDynamic } of graph.get(file) ?? []) {
    if (!isDynamic) findCircles(to, [...way, file]);
  }
  done.add(file);
}

for (const file of files) findCircles(file, []);

const inBrowser = new Set(['src/client/entry-client.tsx']);
// A set goes on to what is added meanwhile.
for (const file of inBrowser) {
  for (const { to, isType } of graph.get(file) ?? []) {
    if (to === 'typebox' && !isType) faults.push(`${file} brings TypeBox into the browser`);
    if (!isType) inBrowser.add(to);
  }
}

/** `Engine` has all that differs between SQLite and PostgreSQL; the search has two more such objects. */
const knowEngines = /^src\/server\/(database|config)\//;
const pickForSearch = [
  'src/server/search/index/index-of.ts',
  'src/server/search/query/search-queries.ts',
];

for (const file of files) {
  if (!file.startsWith('src/server/') || knowEngines.test(file)) continue;
  const text = readFileSync(file, 'utf8');
  const asks = pickForSearch.includes(file)
    ? /databaseUrl|PostgresAdapter|isPostgres|isSqlite/i
    : /databaseUrl|PostgresAdapter|isPostgres|isSqlite|byEngine/i;
  const [found] = asks.exec(text) ?? [];
  if (found) faults.push(`${file} asks for the engine (${found}): use engineOf or engineNamed`);
}

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
