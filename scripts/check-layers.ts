/**
 * Checks that no file imports from a stratum above its own, types and `import()` included; that files do not import each other
 * in a circle; that each folder of the server belongs to a stratum, and only four files of its root do. No browser script
 * may contain TypeBox. Only the database and the settings may ask which engine is in use. Exits with 1 otherwise.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * From bottom to top: the folders and files below each root. Within a stratum, only circular imports are rejected.
 */
const strata: Record<string, string[][]> = {
  'src/server': [
    ['system/', 'database/', 'http/'],
    [
      ...['accounts/', 'forum/', 'images/', 'mail/', 'moderation/', 'moving-in/', 'notifications/'],
      ...['privacy/', 'profile/', 'push/', 'search/', 'search-index/', 'site-settings/', 'texts/'],
    ],
    ['pages/', 'app.ts', 'error-handler.ts', 'route-table.ts', 'services.ts'],
    ['operation/'],
  ],
  'src/client': [
    ['api/', 'dom/', 'router/', 'state/', 'storage/', 'ui/'],
    ['conversation/', 'images/', 'moderation/', 'own-decisions/', 'session/', 'settings/'],
    ['pages/'],
    ['app/', 'service-worker/', 'vite.config.ts'],
  ],
};

interface Import {
  /** A file, or a package. */
  to: string;
  isPackage: boolean;
  isDynamic: boolean;
  /** Whether it imports only types. */
  isType: boolean;
}

/** Folders that do not import from others of their stratum: mails and push messages are ways to tell people. */
const apart = new Map([
  ['src/server/mail/', ['src/server/push/', 'src/server/notifications/']],
  ['src/server/push/', ['src/server/mail/', 'src/server/notifications/']],
]);

/** Loads the script that opens a new session, when a call was refused for want of one. */
const renewsSessions = 'src/client/api/request.ts';

const faults: string[] = [];

const rootOf = (file: string) => Object.keys(strata).find((root) => file.startsWith(`${root}/`));

/** @returns the number of a file's stratum, from the bottom; -1 for a file without one */
function stratumOf(file: string): number {
  const root = rootOf(file) ?? '';
  const inside = file.slice(root.length + 1);
  return (strata[root] ?? []).findIndex((rooms) =>
    rooms.some((room) => (room.endsWith('/') ? inside.startsWith(room) : inside === room)),
  );
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
  const root = rootOf(file);
  const from = stratumOf(file);
  if (from < 0 && !file.startsWith('src/shared/')) faults.push(`${file} belongs to no stratum`);
  for (const { to, isPackage, isDynamic } of imports) {
    if (isPackage) continue;
    const isNear = to.startsWith(`${root}/`) || to.startsWith('src/shared/');
    if (!isNear) faults.push(`${file} imports ${to}`);
    for (const [folder, others] of apart)
      if (file.startsWith(folder) && others.some((other) => to.startsWith(other)))
        faults.push(`${file} imports ${to}, which tells people by it`);
    if (isDynamic && file === renewsSessions) continue;
    if (rootOf(to) === root && stratumOf(to) > from) {
      faults.push(`${file} imports ${to}, which is in a stratum above it`);
    }
  }
}

/** Files all of whose imports were followed without finding a circle. */
const done = new Set<string>();

function findCircles(file: string, way: string[]): void {
  const begin = way.indexOf(file);
  if (begin >= 0) {
    faults.push(`a circle: ${[...way.slice(begin), file].join(' → ')}`);
    return;
  }
  if (done.has(file)) return;
  for (const { to } of graph.get(file) ?? []) findCircles(to, [...way, file]);
  done.add(file);
}

for (const file of files) findCircles(file, []);

const browserEntry = 'src/client/app/entry-client.tsx';
if (!graph.has(browserEntry)) faults.push(`there is no ${browserEntry}`);
const inBrowser = new Set([browserEntry]);
// A set iterates over entries that are added during the loop.
for (const file of inBrowser) {
  for (const { to, isType } of graph.get(file) ?? []) {
    if (to === 'typebox' && !isType) faults.push(`${file} brings TypeBox into the browser`);
    if (!isType) inBrowser.add(to);
  }
}

/** `Engine` contains all differences between SQLite and PostgreSQL; the search has two more such objects. */
const knowEngines = /^src\/server\/(database|system\/settings)\//;
const pickForSearch = [
  'src/server/search-index/index-of.ts',
  'src/server/search/query/search-queries.ts',
];

for (const file of pickForSearch) if (!graph.has(file)) faults.push(`there is no ${file}`);

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
