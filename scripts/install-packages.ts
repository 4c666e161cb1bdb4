import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPackage } from './read-package.ts';

const project = path.dirname(import.meta.dirname);

/**
 * Installs the packages that the server imports into a folder, and writes its package.json.
 * @param architecture of the machine that will run it, in the terms of `process.arch`
 */
export async function installPackages(target: string, architecture = process.arch as string) {
  mkdirSync(target, { recursive: true });
  const { scripts, workspaces, devDependencies, ...manifest } = readPackage(project);
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const lock = path.join(target, 'package-lock.json');
  cpSync(path.join(project, 'package-lock.json'), lock);
  const machine = ['--os=linux', `--cpu=${architecture}`, '--libc=glibc'];
  // npm's own settings could omit packages; prepare.js overrides them as well. No script is needed.
  const complete = ['--ignore-scripts', '--include=prod', '--include=optional'];
  npm(['ci', ...machine, ...complete], target);
  rmSync(lock);
  const packages = path.join(target, 'node_modules');
  const node = path.join(packages, `node-linux-${architecture}`);
  // npm skips an optional package that it cannot download, or whose checksum is wrong, and says nothing.
  if (!existsSync(path.join(node, 'bin/node'))) throw new Error(`npm did not install ${node}`);

  const unused = [
    // This file contains the registry's URL.
    path.join(packages, '.package-lock.json'),
    // C headers and manuals of Node.
    ...['include', 'share'].map((name) => path.join(node, name)),
    ...globSync(`${packages}/**/*.{d.ts,d.mts,d.cts,map,md,markdown}`),
  ];
  for (const file of unused) {
    if (!/licen[cs]e/i.test(path.basename(file))) rmSync(file, { recursive: true, force: true });
  }
}

function npm(args: string[], cwd: string): void {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', [...args, ...quiet], { cwd, stdio: 'inherit' });
}
