import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fieldsOf } from '../../shared/fields-of.ts';
import { installation } from './installation.ts';

let name: string | undefined;

/** The name of this build: the release's name, `1.0.0+<commit>` in a clone, or `1.0.0` when the commit is unknown. */
export function buildName(): string {
  name ??= readName();
  return name;
}

function readName(): string {
  // scripts/release.ts writes this file.
  const file = path.join(installation, 'build');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const manifest = readFileSync(path.join(installation, 'package.json'), 'utf8');
  const version = String(fieldsOf(JSON.parse(manifest)).version);
  const commit = findCommit();
  return commit ? `${version}+${commit}` : version;
}

/** @returns the commit of a clone; undefined elsewhere, as in a container */
function findCommit(): string | undefined {
  if (!existsSync(path.join(installation, '.git'))) return undefined;
  const args = ['rev-parse', '--short=12', 'HEAD'];
  try {
    const options = { cwd: installation, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', args, options as { encoding: 'utf8' }).trim();
  } catch {
    // Git is missing, or refuses a clone that another user owns.
    return undefined;
  }
}
