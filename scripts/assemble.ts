/**
 * Puts the files of a release into a new folder: the sources of the server, the built client and the packages that the
 * server imports, without packages for building and testing.
 *
 *   node scripts/prepare.js && node_modules/.bin/node scripts/assemble.ts FOLDER [x64|arm64]
 */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { installPackages } from './install-packages.ts';
import { releaseContents } from './release-contents.ts';

const project = path.dirname(import.meta.dirname);
const [folder, architecture] = process.argv.slice(2);
if (!folder) throw new Error('usage: assemble.ts FOLDER [x64|arm64]');
const target = path.resolve(folder);

mkdirSync(target, { recursive: true });
for (const name of releaseContents) {
  const source = path.join(project, name);
  if (!existsSync(source)) continue;
  cpSync(source, path.join(target, name), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !/\.test\.tsx?$|\.built-from$/.test(file),
  });
}
await installPackages(target, architecture);
