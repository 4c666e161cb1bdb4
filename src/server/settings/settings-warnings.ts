import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { findAmbiguousLines } from './ambiguous-lines.ts';
import type { SettingsFile } from './settings-file.ts';

const secretSettings = ['DATABASE_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

/**
 * Finds what is valid and probably not meant: lines that other programs read differently, a file that
 * others can read or write, data in a folder that an update replaces.
 * @param dataDir absolute
 * @returns a sentence for each, without values
 */
export function findWarnings(settings: SettingsFile, dataDir: string): string[] {
  const { file, text, unread } = settings;
  return [
    ...(unread ? [`${unread} was not read, since ${file} exists: remove one of them`] : []),
    ...findAmbiguousLines(text).map((line) => `${file}: ${line}`),
    ...findOpenFile(settings),
    ...findDataInRelease(dataDir),
  ];
}

function findOpenFile({ file, values }: SettingsFile): string[] {
  const found = file ? statSync(file, { throwIfNoEntry: false }) : undefined;
  if (!found?.isFile()) return [];
  if ((found.mode & 0o022) !== 0) {
    return [`other users of this machine can write to ${file}: chmod go-w ${file}`];
  }
  const hasSecrets = secretSettings.some((name) => values[name]);
  if (!hasSecrets || (found.mode & 0o004) === 0) return [];
  return [`all users of this machine can read the secrets in ${file}: chmod o= ${file}`];
}

function findDataInRelease(dataDir: string): string[] {
  const release = ancestorsOf(dataDir).find(isRelease);
  if (!release) return [];
  return [
    `DATA_DIR (${dataDir}) is inside the release ${release}, which an update replaces: move the data elsewhere, such as /var/lib/tertulia, and set DATA_DIR`,
  ];
}

/** Whether tertulia is installed there without the sources that a clone has. */
function isRelease(folder: string): boolean {
  const has = (name: string) => existsSync(path.join(folder, name));
  return has('bin/tertulia') && !has('src/client');
}

/** @returns the folders above a path, symbolic links resolved where they exist */
function ancestorsOf(place: string): string[] {
  const parent = path.dirname(place);
  if (parent === place) return [];
  const real = existsSync(parent) ? realpathSync(parent) : parent;
  return [real, ...ancestorsOf(real)];
}
