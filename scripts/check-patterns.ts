/**
 * Checks every regular expression in the sources, and every `pattern` of a schema, for input on which matching takes
 * more than linear time. Exits with 1 if there is one.
 */
import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';

interface Pattern {
  /** File and line. */
  location: string;
  source: string;
  flags: string;
}

/** Expressions built at run time, which cannot be checked here. */
const unchecked: string[] = [];

const files = globSync('src/**/*.{ts,tsx,js}', {
  exclude: ['**/*.test.*', '**/*.fault.*'],
});

function findPatterns(file: string): Pattern[] {
  const text = readFileSync(file, 'utf8');
  const found: Pattern[] = [];
  const locationOf = (start: number) => `${file}:${text.slice(0, start).split('\n').length}`;
  const add = (start: number, source: string, flags: string) =>
    found.push({ location: locationOf(start), source, flags });
  const refuseConstructor = ({ callee, start }: { callee: { type: string }; start: number }) => {
    if ('name' in callee && callee.name === 'RegExp') unchecked.push(locationOf(start));
  };
  const { program } = parseSync(file, text);
  new Visitor({
    NewExpression: refuseConstructor,
    CallExpression: refuseConstructor,
    Literal(node) {
      if ('regex' in node) add(node.start, node.regex.pattern, node.regex.flags);
    },
    Property({ key, value }) {
      const isPattern = key.type === 'Identifier' && key.name === 'pattern';
      if (!isPattern || value.type !== 'Literal' || typeof value.value !== 'string') return;
      add(value.start, value.value, 'u');
    },
  }).visit(program);
  return found;
}

/** Limits steps instead of time and fixes the seed, so that results do not depend on the load of the machine. */
const parameters = {
  randomSeed: 1,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
};

const patterns = files.flatMap(findPatterns);
const findings = unchecked.map(
  (location) => `${location}: built at run time; write it as a literal`,
);
// One at a time: checks that share the processors take four times as much of them.
for (const { location, source, flags } of patterns) {
  const verdict = await check(source, flags, parameters);
  if (verdict.status === 'safe') continue;
  const why =
    verdict.status === 'vulnerable'
      ? `${verdict.complexity.summary}, for example on ${verdict.attack.pattern}`
      : `not checked: ${verdict.error.kind}`;
  findings.push(`${location} /${source}/${flags}: ${why}`);
}
for (const finding of findings) console.error(finding);
console.log(`Checked ${patterns.length} regular expressions.`);
process.exitCode = findings.length > 0 ? 1 : 0;
