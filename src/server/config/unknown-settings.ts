import { settingNames } from './config.ts';
import { nearestName } from './nearest-name.ts';
import { type SettingsFile, secretSettings } from './settings-file.ts';

/** Names that begin so are ours, wherever they are set. */
const ownPrefixes = ['S3_', 'METRICS_', 'BACKUP_'];
/** Shorter names of other programs are in every environment. */
const minEnvironmentChars = 5;

/**
 * Finds names of settings that do not exist and look like one of tertulia: misspelt, or with the
 * beginning of one. Other programs' names, such as `TZ`, are left alone.
 * @param environment with or without the settings of the file
 * @returns a sentence for each, without values
 */
export function findUnknownSettings(
  { values, file }: Pick<SettingsFile, 'values' | 'file'>,
  environment: Record<string, string | undefined>,
): string[] {
  const secretFiles = secretSettings.map((name) => `${name}_FILE`);
  const known = [...settingNames(), ...secretFiles, 'TERTULIA_ENV_FILE'];
  const isKnown = new Set(known);
  const firstWords = new Set(known.flatMap((name) => /^[^_]+_/.exec(name) ?? []));
  const describe = (name: string, place: string) => {
    const nearest = nearestName(name, known);
    return `${name} in ${place} is not a setting${nearest ? `: did you mean ${nearest}?` : ''}`;
  };

  const inFile = Object.keys(values).filter((name) => {
    const firstWord = /^[^_]+_/.exec(name.toUpperCase())?.[0] ?? '';
    return !isKnown.has(name) && (firstWords.has(firstWord) || nearestName(name, known));
  });
  const inEnvironment = Object.keys(environment).filter((name) => {
    if (isKnown.has(name) || Object.hasOwn(values, name)) return false;
    if (ownPrefixes.some((prefix) => name.startsWith(prefix))) return true;
    return name.length >= minEnvironmentChars && nearestName(name, known) !== undefined;
  });
  return [
    ...inFile.map((name) => describe(name, file ?? 'the settings file')),
    ...inEnvironment.map((name) => describe(name, 'the environment')),
  ];
}
