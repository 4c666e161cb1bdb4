import { settingNames } from './config.ts';
import { nearestName } from './nearest-name.ts';
import { type SettingsFile, secretSettings } from './settings-file.ts';

/** Names with these prefixes count as settings of tertulia, in the environment too. */
const tertuliaPrefixes = ['S3_', 'METRICS_', 'BACKUP_'];
/** Every environment has shorter names of other programs. */
const minEnvironmentChars = 5;

/**
 * Finds names that are no settings and look like one of tertulia: misspelt, or with the same first word.
 * Ignores names of other programs, such as `TZ`.
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
  const describe = (name: string, source: string) => {
    const nearest = nearestName(name, known);
    return `${name} in ${source} is not a setting${nearest ? `: did you mean ${nearest}?` : ''}`;
  };

  const inFile = Object.keys(values).filter((name) => {
    const firstWord = /^[^_]+_/.exec(name.toUpperCase())?.[0] ?? '';
    return !isKnown.has(name) && (firstWords.has(firstWord) || nearestName(name, known));
  });
  const inEnvironment = Object.keys(environment).filter((name) => {
    if (isKnown.has(name) || Object.hasOwn(values, name)) return false;
    if (tertuliaPrefixes.some((prefix) => name.startsWith(prefix))) return true;
    return name.length >= minEnvironmentChars && nearestName(name, known) !== undefined;
  });
  return [
    ...inFile.map((name) => describe(name, file ?? 'the settings file')),
    ...inEnvironment.map((name) => describe(name, 'the environment')),
  ];
}
