// Runs the scripts `check:…` of package.json, several at once, and prints the output of those that fail. Some use one
// processor only, so that one after the other they would leave the rest idle.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import pLimit from 'p-limit';
import { readPackage } from './read-package.ts';

const project = path.join(import.meta.dirname, '..');
const programs = path.join(project, 'node_modules/.bin');
const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
const mostLines = 40;
/** More would need gigabytes of memory. */
const atOnce = pLimit(3);

async function run(name: string, command: string): Promise<void> {
  const startMs = performance.now();
  const child = spawn(command, {
    cwd: project,
    env,
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const [code, ...written] = await Promise.all([ended, buffer(child.stdout), buffer(child.stderr)]);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (code === 0) return;
  process.exitCode = 1;
  const lines = Buffer.concat(written).toString().trimEnd().split('\n');
  console.log(lines.slice(0, mostLines).join('\n'));
  const left = lines.length - mostLines;
  if (left > 0) console.log(`… and ${left} lines more: npm run ${name}`);
}

const { scripts = {} } = readPackage(project);
const checks = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));
// Started in this order: the longest come first, since the run lasts at least as long as the last one.
await Promise.all(checks.map(([name, command]) => atOnce(() => run(name, command))));
