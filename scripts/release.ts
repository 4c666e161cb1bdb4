/**
 * `npm run release [-- ARCHITECTURE…]`: makes the archives of the checked-out commit, for this machine's architecture
 * or the named ones (`x64`, `arm64`), with SBOM and checksums, in `release/`. Needs npm, git and GNU tar. The same
 * commit gives the same archives byte by byte, as long as the registry serves the same packages.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const project = path.dirname(import.meta.dirname);
const released = path.join(project, 'release');
mkdirSync(released, { recursive: true });
const [...architectures] = process.argv.slice(2);
if (architectures.length === 0) architectures.push(process.arch);

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

for (const architecture of architectures) {
  const folder = path.join(work.path, architecture);
  const assembled = path.join(folder, top);
  run('node_modules/.bin/node', ['scripts/assemble.ts', assembled, architecture], tree);
  // The server reads the build's name from this file (src/server/system/version.ts).
  writeFileSync(path.join(assembled, 'build'), `${build}\n`);
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
}
const sbom = output(
  'npm',
  ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'],
  tree,
);
writeFileSync(path.join(released, `${top}.cdx.json`), `${sbom}\n`);

const files = readdirSync(released)
  .filter((name) => name.startsWith(`${top}-`) || name === `${top}.cdx.json`)
  .sort();
const sums = files.map((name) => {
  const hash = createHash('sha256').update(readFileSync(path.join(released, name)));
  return `${hash.digest('hex')}  ${name}\n`;
});
writeFileSync(path.join(released, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));

/** Names the build after the tag of its commit, without the `v`, or else after version and commit. */
function nameBuild(): string {
  const [tag] = output('git', ['tag', '--points-at', 'HEAD', 'v*'], project).split('\n');
  if (tag) return tag.slice(1);
  const { version } = JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8'));
  return `${version}+${output('git', ['rev-parse', '--short=12', 'HEAD'], project)}`;
}

function run(command: string, args: string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: 'inherit' });
}

function output(command: string, args: string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 }).trim();
}
