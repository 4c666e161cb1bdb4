/**
 * `npm run release`: makes the archive of this version for this kind of machine, of the commit that
 * is checked out, with its SBOM and checksums, in `release/`. Needs npm, git and GNU tar. The same
 * commit gives the same archive byte by byte, as long as the registry serves the same packages.
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
import { makeSbom } from './sbom.ts';

const project = path.dirname(import.meta.dirname);
const released = path.join(project, 'release');
mkdirSync(released, { recursive: true });

if (output('git', ['status', '--porcelain'], project)) {
  console.error('There are uncommitted changes; they are not in the release.');
}
const committedAtS = Number(output('git', ['log', '-1', '--format=%ct'], project));

using work = mkdtempDisposableSync(path.join(tmpdir(), 'tertulia-release-'));
const tree = path.join(work.path, 'tree');
mkdirSync(tree);
const source = path.join(work.path, 'source.tar');
run('git', ['archive', `--output=${source}`, 'HEAD'], project);
run('tar', ['-xf', source], tree);

const { version } = JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8'));
const top = `tertulia-${version}`;
run('node', ['scripts/prepare.js'], tree);
run('node_modules/.bin/node', ['scripts/assemble.ts', path.join(work.path, top)], tree);
// `tertulia --version` prints this hash.
writeFileSync(
  path.join(work.path, top, 'commit'),
  `${output('git', ['rev-parse', 'HEAD'], project)}\n`,
);

const archive = `${top}-linux-${process.arch}.tar.gz`;
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
  work.path,
);
const sbom = makeSbom(tree, new Date(committedAtS * 1000));
writeFileSync(path.join(released, `${top}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);

const files = readdirSync(released)
  .filter((name) => name.startsWith(`${top}-`) || name === `${top}.cdx.json`)
  .sort();
const sums = files.map((name) => {
  const hash = createHash('sha256').update(readFileSync(path.join(released, name)));
  return `${hash.digest('hex')}  ${name}\n`;
});
writeFileSync(path.join(released, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));

function run(command: string, args: string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: 'inherit' });
}

function output(command: string, args: string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8' }).trim();
}
