/**
 * Measures which lines and branches of `src` the tests execute, and prints a row for each folder: server and shared
 * code by the server's tests, the client by the browser tests and by its tests that need no browser. With the argument
 * `server` or `client`, measures only that one. Leaves the details in `coverage/`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoverageReport } from 'monocart-coverage-reports';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { isClientModule, transform } from './transform-client.ts';

process.chdir(path.join(import.meta.dirname, '..'));
/** Coverage data of each test process of the server and of the client, and of each page in the browser. */
const [processes, clientProcesses, pages] = ['processes', 'client-processes', 'pages'].map((name) =>
  path.resolve('coverage', name),
) as [string, string, string];
/** Covered scripts, in the files of a browser and in those of a process. */
const coveredScripts = Type.Array(Type.Object({ url: Type.String() }));
const processCoverage = Type.Object({ result: coveredScripts });

/** Continues after a failed test, because the figures are hardly lower. */
function run(env: Record<string, string>, ...args: string[]): void {
  const options = { stdio: 'inherit', env: { ...process.env, ...env } } as const;
  const { status } = spawnSync(process.execPath, args, options);
  if (status !== 0) console.error(`${args.join(' ')} ended with ${status}.`);
}

function measureServer(): void {
  rmSync(processes, { recursive: true, force: true });
  mkdirSync(processes, { recursive: true });
  const tests = ['--test-concurrency=4', '--test-global-setup=test/global-setup.ts'];
  run({}, 'test/group-files.ts');
  run(
    { NODE_V8_COVERAGE: processes },
    '--test',
    ...tests,
    '--test-reporter=dot',
    'test/grouped/*-src*.js',
  );
  run(
    { SERVER_COVERAGE: processes },
    '--test',
    '--experimental-test-coverage',
    '--test-coverage-include=src/{server,shared}/**',
    '--test-reporter=lcov',
    '--test-reporter-destination=coverage/server.lcov',
    'scripts/hand-over-coverage.ts',
  );
}

async function measureClient(): Promise<void> {
  rmSync(pages, { recursive: true, force: true });
  mkdirSync(pages, { recursive: true });
  // Minified code has fewer branches than its source.
  const options = ['--config=src/client/vite.config.ts', '--sourcemap=hidden', '--minify=false'];
  run({}, 'node_modules/vite/bin/vite.js', 'build', '--logLevel=warn', ...options);
  // Tests of the size of scripts would fail.
  const tests = ['node_modules/@playwright/test/cli.js', 'test', '--grep-invert=@minified'];
  run({ BROWSER_COVERAGE: pages }, ...tests);
  rmSync(clientProcesses, { recursive: true, force: true });
  run(
    { NODE_V8_COVERAGE: clientProcesses },
    '--import=./scripts/transform-client.ts',
    '--test',
    '--test-reporter=dot',
    'src/client/**/*.test.ts',
  );
  const report = new CoverageReport({
    outputDir: 'coverage/client',
    reports: ['lcovonly'],
    logging: 'error',
    sourceFilter: (source) => /^src\/(client|shared)\/.*\.tsx?$/.test(source),
    sourcePath: (source) => source.replace(/^.*?(?=src\/(client|shared)\/)/, ''),
  });
  for (const file of globSync(`${pages}/*.json`)) {
    const entries = Value.Parse(coveredScripts, JSON.parse(readFileSync(file, 'utf8')));
    const built = entries.flatMap((entry) => {
      const script = path.join('dist/client', new URL(entry.url).pathname);
      const map = globSync(`${script}.map`)[0];
      if (!map) return [];
      const sourceMap: unknown = JSON.parse(readFileSync(map, 'utf8'));
      // The port differs between servers.
      return { ...entry, url: script, source: readFileSync(script, 'utf8'), sourceMap };
    });
    if (built.length > 0) await report.add(built);
  }
  for (const file of globSync(`${clientProcesses}/*.json`)) {
    const { result } = Value.Parse(processCoverage, JSON.parse(readFileSync(file, 'utf8')));
    const transformed: object[] = [];
    for (const entry of result) {
      if (!isClientModule(entry.url) || entry.url.endsWith('.test.ts')) continue;
      const { code, map } = await transform(fileURLToPath(entry.url));
      transformed.push({ ...entry, url: `${entry.url}.js`, source: code, sourceMap: map });
    }
    if (transformed.length > 0) await report.add(transformed);
  }
  await report.generate();
  // Visitors must not get a build for coverage: the next `prepare` builds again.
  rmSync('dist/.built-from', { force: true });
}

/** Prints a row for each folder of an lcov report, and their sum. */
function printRows(report: string, root: string): void {
  if (!existsSync(report)) return;
  const rows = new Map<string, Record<string, number>>();
  for (const record of readFileSync(report, 'utf8').split('end_of_record')) {
    const file = /^SF:(.*)$/m.exec(record)?.[1] ?? '';
    if (!file.startsWith(root)) continue;
    // The files of the root itself also get a row.
    const folder = path.dirname(file).split('/').slice(0, 3).join('/');
    for (const name of [folder, `all of ${root}`]) {
      const row = rows.get(name) ?? {};
      for (const [, key = '', count] of record.matchAll(/^(LF|LH|BRF|BRH):(\d+)$/gm)) {
        row[key] = (row[key] ?? 0) + Number(count);
      }
      rows.set(name, row);
    }
  }
  const part = (hit = 0, of = 0) =>
    `${hit} of ${of} | ${of ? ((100 * hit) / of).toFixed(1) : '–'} %`;
  for (const [name, { LF, LH, BRF, BRH }] of [...rows].sort()) {
    console.log(`| ${name} | ${part(LH, LF)} | ${part(BRH, BRF)} |`);
  }
}

const [only] = process.argv.slice(2);
if (only !== 'client') measureServer();
if (only !== 'server') await measureClient();
console.log('| folder | lines | | branches | |\n|---|---|---|---|---|');
printRows('coverage/server.lcov', 'src/server/');
printRows('coverage/server.lcov', 'src/shared/');
printRows('coverage/client/lcov.info', 'src/client/');
