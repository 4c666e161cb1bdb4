import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdir,
  mkdtempDisposable,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const project = path.join(import.meta.dirname, '../..');
const cache = path.join(project, 'node_modules/.cache/releases');

/**
 * Makes the release of the checked-out commit for this machine's architecture, with this version.
 * @returns the folder with the archive, the package and the checksums, which later calls at the same commit reuse
 */
export async function makeRelease(version: string): Promise<string> {
  const head = { cwd: project, encoding: 'utf8' } as const;
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], head).trim();
  const ofCommit = path.join(cache, commit);
  const folder = path.join(ofCommit, version);
  if (existsSync(folder)) return folder;
  // Those of other commits are of no use.
  if (!existsSync(ofCommit)) await rm(cache, { recursive: true, force: true });
  await mkdir(ofCommit, { recursive: true });

  await using work = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-version-'));
  const clone = path.join(work.path, 'clone');
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('git', ['clone', '--quiet', '--no-local', project, clone]);
  await symlink(path.join(project, 'node_modules'), path.join(clone, 'node_modules'));
  const file = path.join(clone, 'package.json');
  const before = await readFile(file, 'utf8');
  await writeFile(file, before.replace(/"version": "[^"]*"/, `"version": "${version}"`));
  const author = ['-c', 'user.name=tertulia', '-c', 'user.email=tertulia@foro.example'];
  run('git', ...author, 'commit', '--quiet', '--allow-empty', '--all', '-m', `Version ${version}`);
  run('git', 'tag', `v${version}`);
  run('node_modules/.bin/node', 'scripts/release.ts', process.arch);
  await cp(path.join(clone, 'release'), `${folder}.part`, { recursive: true });
  await rename(`${folder}.part`, folder);
  return folder;
}
