/**
 * Checks the layers that docs/architecture.md lists from top to bottom: a file must not import from a line
 * above its own, types included, and no files may import each other in a circle. Exits with 1 otherwise.
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
  to: string;
  isDynamic: boolean;
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
    ...module.staticImports.map(({ moduleRequest: { value } }) => ({ value, isDynamic: false })),
    ...exported.flatMap(({ moduleRequest }) =>
      moduleRequest ? [{ value: moduleRequest.value, isDynamic: false }] : [],
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      value: text.slice(start + 1, end - 1),
      isDynamic: true,
    })),
  ];
  return found
    .filter(({ value }) => value.startsWith('.'))
    .map(({ value, isDynamic }) => ({ to: path.join(path.dirname(file), value), isDynamic }));
}

const files = globSync('src/**/*.{ts,tsx,js}', { exclude: ['**/*.test.*'] });
const graph = new Map(files.map((file) => [file, importsOf(file)]));

for (const [file, imports] of graph) {
  const root = roots.find((one) => file.startsWith(`${one}/`));
  const from = layerOf(file);
  if (!from && !file.startsWith('src/shared/')) {
    faults.push(`${file} belongs to no line of docs/architecture.md`);
  }
  for (const { to, isDynamic } of imports) {
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

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
