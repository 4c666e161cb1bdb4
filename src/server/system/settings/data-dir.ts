import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { installation } from '../installation.ts';

/** @returns the absolute path of the data folder, whether or not it is valid */
export function dataDirOf(env: Record<string, string | undefined>): string {
  return path.resolve(installation, env.DATA_DIR?.trim() || 'data');
}

export function sqliteFile(dataDir: string): string {
  return path.join(dataDir, 'tertulia.db');
}

/**
 * Refuses a data folder inside a release, because updates replace releases and remove old ones.
 * @param program the folder of the program that reads the settings
 * @returns a sentence, or undefined when the data folder can be used
 */
export function whyWrongDataDir(
  env: Record<string, string | undefined>,
  program = installation,
): string | undefined {
  const set = env.DATA_DIR?.trim();
  const elsewhere = 'a folder of its own, such as /var/lib/tertulia';
  if (!set) {
    if (!isRelease(program)) return undefined;
    return `DATA_DIR is missing: a release needs it, since an update replaces its folder. Set it to ${elsewhere}`;
  }
  if (set.startsWith('~')) {
    return `DATA_DIR must be a whole path, not "${set}": only a shell knows what ~ stands for`;
  }
  const release = ancestorsOf(dataDirOf(env)).find(isRelease);
  if (!release) return undefined;
  return `DATA_DIR (${set}) is inside the release ${release}, which an update replaces: move the data to ${elsewhere}, and set DATA_DIR`;
}

/**
 * Whether the folder is an installed release: it has the program and its sources, but not the scripts of a clone. `/bin`
 * alone may have the program too: Debian's package links it into `/usr/bin`.
 */
function isRelease(folder: string): boolean {
  const has = (name: string) => existsSync(path.join(folder, name));
  return has('bin/tertulia') && has('src') && !has('scripts/prepare.js');
}

/** @returns the folder and those above it, with symbolic links resolved where they exist */
function ancestorsOf(folder: string): string[] {
  const real = existsSync(folder) ? realpathSync(folder) : folder;
  const parent = path.dirname(real);
  return parent === real ? [real] : [real, ...ancestorsOf(parent)];
}
