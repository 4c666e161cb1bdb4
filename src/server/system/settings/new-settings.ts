import { readFileSync } from 'node:fs';
import path from 'node:path';
import { installation } from '../installation.ts';
import { settingNames } from './config.ts';
import type { SettingsFile } from './settings-file.ts';

/** The settings file that a release ships. An update does not change the operator's copy of it. */
export const shippedFile = path.join(installation, 'deploy/tertulia.env');

/** Matches the name of a setting, also in a line that is a comment. */
const settingLine = /^#? *(\w+)=/gm;

/**
 * @param env includes the settings of the file
 * @returns the settings of the shipped file that the operator's mentions nowhere; none when there is no file
 */
export function findNewSettings(
  { file }: SettingsFile,
  env: Record<string, string | undefined>,
): string[] {
  if (!file) return [];
  const mentioned = new Set([...namesIn(file), ...Object.keys(env)]);
  const known = settingNames();
  return namesIn(shippedFile).filter(
    (name) => known.includes(name) && !mentioned.has(name) && !mentioned.has(`${name}_FILE`),
  );
}

function namesIn(file: string): string[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(settingLine), ([, name = '']) => name);
}
