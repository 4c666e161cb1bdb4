import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installation } from './installation.ts';

/** The version of this program, for example `0.1.0`. */
export const version = String(
  JSON.parse(readFileSync(path.join(installation, 'package.json'), 'utf8')).version,
);

/** @returns the commit's hash in a release or a clone; undefined elsewhere, as in a container */
export function findCommit(): string | undefined {
  // scripts/release.ts writes this file.
  const file = path.join(installation, 'commit');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (!existsSync(path.join(installation, '.git'))) return undefined;
  try {
    const options = { cwd: installation, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['rev-parse', 'HEAD'], options as { encoding: 'utf8' }).trim();
  } catch {
    // Git is missing, or does not trust a clone of another user.
    return undefined;
  }
}
