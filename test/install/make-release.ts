import { execFileSync } from 'node:child_process';
import { cp, mkdtempDisposable, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const project = path.join(import.meta.dirname, '../..');

/**
 * Makes the release of the checked-out commit for this machine's architecture, with this version.
 * @param folder for the archive, the package and the checksums
 */
export async function makeRelease(version: string, folder: string): Promise<void> {
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
  await cp(path.join(clone, 'release'), folder, { recursive: true });
}
