// Writes a file for each group of tests of the server, which runs the test files of that group one
// after the other. `npm run test:server` runs each in a process of its own. With a process for each
// test file, loading the same modules again takes longer than most of the tests.

import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Much longer than any group needs on a busy machine. */
const longestMinutes = 20;
const project = path.join(import.meta.dirname, '..');
const folder = path.join(project, 'test/grouped');
const files = globSync('{src,scripts}/**/*.test.ts', { cwd: project }).sort();

/**
 * `src-server-comments` for all below that folder, and `src` for client and shared code, whose tests are
 * short. A test of `src/server` itself is alone, since these take long.
 */
function groupOf(file: string): string {
  const depth = /^src\/(client|shared)\//.test(file) ? 1 : 3;
  return file.replace('.test.ts', '').split('/').slice(0, depth).join('-');
}

if (files.length === 0) throw new Error('there are no tests');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [group, members] of Map.groupBy(files, groupOf)) {
  const runs = members.map((file) => {
    const url = pathToFileURL(path.join(project, file));
    return `await describe('${file}', () => import(${JSON.stringify(url)}));\n`;
  });
  // A promise that never settles, in a test or while a file is imported, would keep the process running for ever.
  // A test that ends the process would skip the files after it, and seem to succeed.
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
  writeFileSync(path.join(folder, `${group}.js`), source);
}
