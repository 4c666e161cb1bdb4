/**
 * `npm run release [-- ARCHITECTURE…]`: makes the archives and Debian packages of the checked-out commit, for `x64` and
 * `arm64` or the named ones of them, with SBOM and checksums, in `release/`. Needs npm, git, GNU tar and dpkg-deb. The
 * same commit gives the same files byte by byte, as long as the registry serves the same packages.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nameUntagged } from './build-name.ts';
import { makeDeb } from './debian/make-deb.ts';
import { listComponents } from './list-components.ts';
import { readPackage } from './read-package.ts';

const project = path.dirname(import.meta.dirname);
const released = path.join(project, 'release');
mkdirSync(released, { recursive: true });
const [...architectures] = process.argv.slice(2);
if (architectures.length === 0) architectures.push('x64', 'arm64');

if (output('git', ['status', '--porcelain'], project)) {
  console.error('There are uncommitted changes; they are not in the release.');
}
const committedAtS = Number(output('git', ['log', '-1', '--format=%ct'], project));

using work = mkdtempDisposableSync(path.join(tmpdir(), 'tertulia-release-'));
const tree = path.join(work.path, 'tertulia');
mkdirSync(tree);
const source = path.join(work.path, 'source.tar');
run('git', ['archive', `--output=${source}`, 'HEAD'], project);
run('tar', ['-xf', source], tree);

const build = nameBuild();
const top = `tertulia-${build}`;
run('node', ['scripts/prepare.js'], tree);

const files: string[] = [];
for (const architecture of architectures) {
  const folder = path.join(work.path, architecture);
  const assembled = path.join(folder, top);
  run('node_modules/.bin/node', ['scripts/assemble.ts', assembled, architecture], tree);
  // The server reads the build's name from this file (src/server/system/version.ts).
  writeFileSync(path.join(assembled, 'build'), `${build}\n`);
  writeFileSync(
    path.join(assembled, 'build-date'),
    `${new Date(committedAtS * 1000).toISOString()}\n`,
  );
  const archive = `${top}-linux-${architecture}.tar.gz`;
  run(
    'tar',
    [
      '--create',
      '--use-compress-program=gzip -n -9',
      `--file=${path.join(released, archive)}`,
      '--format=gnu',
      '--sort=name',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u=rwX,go=rX',
      `--mtime=@${committedAtS}`,
      top,
    ],
    folder,
  );
  const release = { build, architecture, committedAtS };
  files.push(archive, makeDeb(assembled, released, release));
}
const components = `${top}.cdx.json`;
writeFileSync(path.join(released, components), listComponents(tree, committedAtS));

const sums = [...files, components].sort().map((name) => {
  const hash = createHash('sha256').update(readFileSync(path.join(released, name)));
  return `${hash.digest('hex')}  ${name}\n`;
});
writeFileSync(path.join(released, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));

/** Names the build after the tag of its commit, without the `v`, or else after version, time and commit. */
function nameBuild(): string {
  const [tag] = output('git', ['tag', '--points-at', 'HEAD', 'v*'], project).split('\n');
  if (tag) return tag.slice(1);
  const commit = output('git', ['rev-parse', '--short=12', 'HEAD'], project);
  return nameUntagged(readPackage(tree).version, committedAtS, commit);
}

function run(command: string, args: string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: 'inherit' });
}

function output(command: string, args: string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 }).trim();
}
