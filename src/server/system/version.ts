import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fieldsOf } from '../../shared/fields-of.ts';
import { installation } from './installation.ts';
import { dayMs } from './times.ts';

const oldAfterMs = 365 * dayMs;

let name: string | undefined;
let date: string | undefined;

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

/** When this build's commit was made, in ISO 8601; undefined where that is unknown, as in a copy of a clone's files. */
export function buildDate(): string | undefined {
  date ??= readDate();
  return date;
}

function readDate(): string | undefined {
  // scripts/release.ts writes this file.
  const file = path.join(installation, 'build-date');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : askGit('log', '-1', '--format=%cI');
  const ms = Date.parse(text?.trim() ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Whether this build is so old that somebody should look for a newer one. */
export function isOldBuild(nowMs: number): boolean {
  const made = buildDate();
  return made !== undefined && nowMs - Date.parse(made) > oldAfterMs;
}

/** @returns the commit of a clone; undefined elsewhere, as in a container */
function findCommit(): string | undefined {
  return askGit('rev-parse', '--short=12', 'HEAD');
}

/** @returns what git prints about a clone; undefined elsewhere */
function askGit(...args: string[]): string | undefined {
  if (!existsSync(path.join(installation, '.git'))) return undefined;
  try {
    const options = { cwd: installation, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', args, options as { encoding: 'utf8' }).trim();
  } catch {
    // Git is missing, or refuses a clone that another user owns.
    return undefined;
  }
}
