// Writes a file for each group of the server's tests, which runs the test files of that group one after the other.
// `npm run test:server` runs each in a separate process. With a process for each test file, loading the same modules
// again takes longer than most of the tests.

import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Much longer than any group needs on a busy machine. */
const longestMinutes = 20;
const project = path.join(import.meta.dirname, '..');
const folder = path.join(project, 'test/grouped');
const files = globSync('{src,scripts}/**/*.test.ts', { cwd: project }).sort();

/** Folders share a process up to this total size of their tests. */
const mostBytes = 80_000;

/**
 * `src-server-forum-comments` for everything below that folder, and `src` for client and shared code, whose tests are
 * short.
 */
function folderOf(file: string): string {
  const depth = /^src\/(client|shared)\//.test(file) ? 1 : 4;
  return file.replace('.test.ts', '').split('/').slice(0, depth).join('-');
}

const bytesOf = (members: string[]) =>
  members.reduce((sum, file) => sum + statSync(path.join(project, file)).size, 0);

/**
 * Groups the files of each folder with other small folders. The largest group comes first, since it may take longest.
 */
function groupFiles(): [name: string, members: string[]][] {
  const groups = new Map<string, string[]>();
  for (const [folder, members] of Map.groupBy(files, folderOf)) {
    const fitting = groups.values().find((others) => bytesOf([...others, ...members]) <= mostBytes);
    if (fitting) fitting.push(...members);
    else groups.set(folder, members);
  }
  return [...groups].sort(([, one], [, other]) => bytesOf(other) - bytesOf(one));
}

if (files.length === 0) throw new Error('there are no tests');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [index, [group, members]] of groupFiles().entries()) {
  const runs = members.map((file) => {
    const url = pathToFileURL(path.join(project, file));
    return `await describe('${file}', () => import(${JSON.stringify(url)}));\n`;
  });
  // A promise that never settles, in a test or while a file is imported, would keep the process running for ever. A
  // test that ends the process would skip the files after it and seem to succeed.
  const source = `import { describe } from 'node:test';

setTimeout(() => {
  console.error('${group} has not ended within ${longestMinutes} minutes');
  process.exit(1);
}, ${longestMinutes * 60_000}).unref();
let isComplete = false;
process.on('exit', (code) => {
  if (code === 0 && !isComplete) process.exitCode = 1;
});
${runs.join('')}isComplete = true;
`;
  // The test runner runs them in the order of their names.
  const order = String(index).padStart(2, '0');
  writeFileSync(path.join(folder, `${order}-${group}.js`), source);
}
