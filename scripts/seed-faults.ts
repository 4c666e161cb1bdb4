/**
 * Puts small faults into the code, one at a time, and prints which of them the tests catch:
 *
 *   node_modules/.bin/node scripts/seed-faults.ts            all faults
 *   node_modules/.bin/node scripts/seed-faults.ts --list     only the list
 *   node_modules/.bin/node scripts/seed-faults.ts --only 7,9 only the seventh and the ninth
 *   node_modules/.bin/node scripts/seed-faults.ts --from 7   the seventh and later ones
 *   node_modules/.bin/node scripts/seed-faults.ts --seed 2   other faults
 *
 * The faults go into a clone of the last commit, in a temporary folder. Each runs against the tests of its domain
 * until the first failure; a fault that makes the tests exceed the time limit is also caught. Types are not checked,
 * but an `await` that is left out is first looked for by the linter.
 * The databases that tests copy are migrated by the code without the fault.
 *
 * The tests of a domain are
 *   src/server/   the tests of the fault's folder, or if it has none those of the folder around it; for a file of routes
 *                 also the test that calls every route
 *   src/shared/   all test files that contain the name of the faulty declaration
 *   src/client/   its unit tests, then the browser specs whose names share a word with the path below its door
 *                 (by the first four letters); if none does, those of the door, or all
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';
import { globalSetup, globalTeardown } from '../test/global-setup.ts';

interface Fault {
  file: string;
  line: number;
  /** Start offset of the fault. */
  start: number;
  kind: string;
  /** The original line. */
  code: string;
  /** The whole file including the fault. */
  text: string;
  /** Sort key of the fault in the draw. */
  rank: string;
}

const { values } = parseArgs({
  options: {
    list: { type: 'boolean' },
    only: { type: 'string' },
    from: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const counts = { 'src/{server,shared}/**/*.ts': 42, 'src/client/**/*.{ts,tsx}': 18 };
const limitMs = 15 * 60_000;
const everyRoute = 'src/server/route-access.test.ts';
const linter = ['node_modules/oxlint/bin/oxlint', '--type-aware'];
const otherBounds: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const project = path.join(import.meta.dirname, '..');

function findFaults(file: string): Fault[] {
  const source = fs.readFileSync(path.join(project, file), 'utf8');
  const found: Fault[] = [];
  const add = (kind: string, start: number, end: number, replacement: string, shown = start) => {
    const line = source.slice(0, shown).split('\n').length;
    const code = source.split('\n')[line - 1]?.trim() ?? '';
    const same = found.filter((other) => other.kind === kind && other.code === code).length;
    // Without the folder, so that a moved file keeps its faults.
    const key = [values.seed, path.basename(file), kind, code, same].join('\n');
    const rank = createHash('sha256').update(key).digest('hex');
    const text = source.slice(0, start) + replacement + source.slice(end);
    found.push({ file, line, start, kind, code, text, rank });
  };
  const turn = ({ start, end }: { start: number; end: number }) =>
    add('condition turned round', start, end, `!(${source.slice(start, end)})`);
  new Visitor({
    IfStatement: ({ test }) => turn(test),
    ConditionalExpression: ({ test }) => turn(test),
    JSXExpressionContainer({ expression }) {
      if (expression.type === 'LogicalExpression' && expression.operator === '&&') {
        turn(expression.left);
      }
    },
    BinaryExpression({ operator, left, right }) {
      const other = otherBounds[operator];
      const start = source.indexOf(operator, left.end);
      if (other && start < right.start) {
        add('bound moved by one', start, start + operator.length, other);
      }
    },
    // Only statements: where the value is used, the type checker reports a missing `await`.
    ExpressionStatement({ expression }) {
      if (expression.type !== 'AwaitExpression') return;
      add('await left out', expression.start, expression.argument.start, '');
    },
    CallExpression({ callee, arguments: [, value], end }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name, start } = callee.property;
      if (/^where(Ref)?$/.test(name)) add('where left out', callee.object.end, end, '', start);
      if (!/^(where|on|having)(Ref)?$/.test(name) || value?.type !== 'Literal') return;
      const other = otherBounds[String(value.value)];
      if (other) add('bound moved by one', value.start, value.end, `'${other}'`);
    },
    Literal({ value, start, end }) {
      if (typeof value !== 'number' || value < 200 || value > 599) return;
      const onLine = source.slice(source.lastIndexOf('\n', start), start);
      if (/\b(status|statusCode|code|writeHead)\b/.test(onLine)) {
        add('status changed', start, end, String(value + 1));
      }
    },
  }).visit(parseSync(file, source).program);
  return found;
}

/** Draws faults of each kind in turn, skipping kinds that have none left. */
function draw(pattern: string, count: number): Fault[] {
  const files = fs.globSync(pattern, { cwd: project, exclude: ['**/*.{test,config}.*'] }).sort();
  const faults = files.flatMap(findFaults).sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return [...Map.groupBy(faults, ({ kind }) => kind).values()]
    .flatMap((ofKind) => ofKind.map((fault, turn) => ({ fault, turn })))
    .sort((one, other) => one.turn - other.turn)
    .slice(0, count)
    .map(({ fault }) => fault);
}

/** The first four letters of each word. */
function stemsOf(name: string): string[] {
  return name
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, 4));
}

/** Server tests and client unit tests of the domain of a fault. */
function testsFor({ file, text, start }: Fault): string[] {
  const [, side] = file.split('/');
  const all = fs.globSync('src/**/*.test.ts', { cwd: clone });
  if (side === 'client') return all.filter((test) => test.startsWith('src/client/'));
  if (side === 'server') {
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      const near = all.filter((test) => test.startsWith(`${folder}/`));
      if (near.length > 0) return file.endsWith('-routes.ts') ? [...near, everyRoute] : near;
    }
  }
  const names = /^(?:export )?(?:const|function) (\w+)|^ {2}(\w+): \{$/gm;
  const [, outer, key] = [...text.slice(0, start).matchAll(names)].at(-1) ?? [];
  const name = key ?? outer ?? path.parse(file).name;
  return all.filter((test) => fs.readFileSync(path.join(clone, test), 'utf8').includes(name));
}

/** @returns the arguments for Node of each run of tests, in order */
function runsFor(fault: Fault): string[][] {
  const { file } = fault;
  // Nearest first, since the first failure ends the run. With three groups, the server is loaded only three times.
  const near = (test: string) => [...test].findIndex((letter, at) => letter !== file[at]);
  const tests = testsFor(fault).sort((one, other) => near(other) - near(one));
  const groups = Map.groupBy(tests, (test) => `test/grouped/fault-${tests.indexOf(test) % 3}.js`);
  fs.mkdirSync(path.join(clone, 'test/grouped'), { recursive: true });
  for (const [group, members] of groups) {
    const imports = members.map(
      (one) => `await describe('${one}', () => import('../../${one}'));\n`,
    );
    const source = `import { describe } from 'node:test';\n${imports.join('')}`;
    fs.writeFileSync(path.join(clone, group), source);
  }
  const runner = ['--test', '--test-reporter=tap', '--test-concurrency=3'];
  const runs = groups.size > 0 ? [[...runner, ...groups.keys()]] : [];
  if (!file.startsWith('src/client/')) return runs;
  const [, , door, ...below] = file.split('/');
  const stems = new Set(stemsOf(below.join('/')));
  const specs = fs.globSync('test/browser/**/*.spec.ts', { cwd: clone });
  const alike = specs.filter((spec) =>
    stemsOf(path.basename(spec, '.spec.ts')).some((stem) => stems.has(stem)),
  );
  const ofDoor = specs.filter((spec) => spec.startsWith(`test/browser/${door}/`));
  const chosen = [alike, ofDoor, specs].find((some) => some.length > 0) ?? [];
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=line'];
  return [...runs, [...playwright, '--timeout=60000', ...chosen]];
}

/** Runs a program in the clone until it ends or a test fails. @returns the failure */
async function findFailure(args: string[]): Promise<string | undefined> {
  // In its own process group, so that everything it started can be killed with it.
  const child = spawn(process.execPath, args, { cwd: clone, detached: true });
  let output = '';
  let failure: string | undefined;
  const end = (reason: string) => {
    failure ??= reason;
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(end, limitMs, 'the time limit');
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      // The output of Node's test runner, or of Playwright.
      const failed = /^ *(?:not ok \d+ -|1\)) (.*)$/m.exec(output);
      if (!failed || failure) return;
      const before = output.slice(0, failed.index);
      const [, file] = [...before.matchAll(/# Subtest: (\S+\.test\.ts)$/gm)].at(-1) ?? [];
      end([file, failed[1]?.replace(/ ─+$/, '')].filter(Boolean).join(' › '));
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  return failure ?? (code === 0 ? undefined : output.trim().split('\n').at(-1));
}

/** @returns the test that catches the fault, or undefined */
async function tryFault(fault: Fault): Promise<string | undefined> {
  const file = path.join(clone, fault.file);
  const original = fs.readFileSync(file);
  fs.writeFileSync(file, fault.text);
  try {
    if (fault.kind === 'await left out' && (await findFailure([...linter, fault.file]))) {
      return 'oxlint';
    }
    // No fault prevents the build.
    const unbuilt = await findFailure(['scripts/prepare.js', '--test']);
    if (unbuilt !== undefined) throw new Error(`${fault.file} was not built: ${unbuilt}`);
    for (const args of runsFor(fault)) {
      const failure = await findFailure(args);
      if (failure !== undefined) return failure;
    }
    return undefined;
  } finally {
    fs.writeFileSync(file, original);
  }
}

const faults = Object.entries(counts).flatMap(([pattern, count]) => draw(pattern, count));
const chosen = [...faults.entries()].filter(([index]) =>
  values.only
    ? values.only.split(',').includes(String(index + 1))
    : index + 1 >= Number(values.from ?? 1),
);
const rowOf = ([index, { file, line, kind }]: [number, Fault]) =>
  `| ${index + 1} | ${file}:${line} | ${kind} |`;
if (values.list) {
  for (const one of chosen) {
    const { code, text, line, kind } = one[1];
    const changed = kind.endsWith('left out') ? '' : ` → \`${text.split('\n')[line - 1]?.trim()}\``;
    console.log(`${rowOf(one)} \`${code}\`${changed} |`);
  }
  process.exit();
}

const clone = fs.mkdtempSync(path.join(tmpdir(), 'tertulia-faults-'));
// When root starts it, PostgreSQL runs as another user, who must be able to enter the folder.
fs.chmodSync(clone, 0o755);
execFileSync('git', ['clone', '--quiet', project, clone]);
fs.symlinkSync(path.join(project, 'node_modules'), path.join(clone, 'node_modules'));
await globalSetup();
let caught = 0;
for (const one of chosen) {
  const begin = Date.now();
  const failure = await tryFault(one[1]);
  if (failure !== undefined) caught += 1;
  const verdict = failure === undefined ? 'survived' : `caught by ${failure}`;
  console.log(`${rowOf(one)} ${verdict} | ${Math.round((Date.now() - begin) / 1000)} s |`);
}
console.log(`${caught} of ${chosen.length} caught`);
await globalTeardown();
fs.rmSync(clone, { recursive: true });
