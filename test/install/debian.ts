import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';

/** The name of the Debian that is installed: `bookworm` (12), or for example `DEBIAN=trixie` (13). */
export const debianName = process.env.DEBIAN ?? 'bookworm';
const project = path.join(import.meta.dirname, '../..');
const slim = ['doc', 'info', 'locale', 'man'].map(
  (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
);

/** The reason why no minimal Debian can be made; false when one can and all programs are installed. */
export function whyNoDebian(...programs: string[]): string | false {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root';
  const missing = ['mmdebstrap', ...programs].filter((name) => {
    try {
      execFileSync('sh', ['-c', 'command -v "$1"', 'sh', name], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  return missing.length > 0 && `needs Debian's package ${missing.join(' and ')}`;
}

/**
 * Makes a minimal Debian like the ones in container images: essential packages and apt.
 * @returns a tar file, which the next run reuses
 */
export function minimalDebian(): string {
  const file = path.join(project, `node_modules/.cache/debian-${debianName}.tar`);
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    // Debian's images are also made with merged /usr. Without this, all of Perl would be installed.
    const merged = ['--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr', '--include=usr-is-merged'];
    const options = ['--quiet', '--variant=minbase', ...merged, ...slim];
    run('mmdebstrap', ...options, debianName, `${file}.part.tar`);
    renameSync(`${file}.part.tar`, file);
  }
  return file;
}

/** Runs a program. @returns its standard output @throws with its standard error when it fails */
export function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
