import { settingNames } from './config.ts';
import { type SettingsFile, secretSettings } from './settings-file.ts';

/** Prefixes of names that no other program reads. */
const ownPrefixes = ['S3_', 'METRICS_', 'BACKUP_', 'SMTP_'];
/** Names read by Node and by the libraries for PostgreSQL and buckets, which may also be in the file. */
const namesOfOthers = /^(TZ$|LANG$|LC_|NODE_|PG|AWS_|SSL_)|_proxy$/i;

/**
 * Finds unknown names in the file, and unknown names in the environment that begin with a prefix of settings.
 * @param environment with or without the settings of the file
 * @returns a sentence for each, without values
 */
export function findUnknownSettings(
  { values, file }: SettingsFile,
  environment: Record<string, string | undefined>,
): string[] {
  const secretFiles = secretSettings.map((name) => `${name}_FILE`);
  const known = [...settingNames(), ...secretFiles, 'TERTULIA_ENV_FILE'];
  const describe = (name: string, source: string) => {
    const nearest = nearestName(name, known);
    return `${name} in ${source} is not a setting${nearest ? `: did you mean ${nearest}?` : ''}`;
  };
  const inFile = Object.keys(values).filter((name) => !namesOfOthers.test(name));
  const inEnvironment = Object.keys(environment).filter(
    (name) => !Object.hasOwn(values, name) && ownPrefixes.some((prefix) => name.startsWith(prefix)),
  );
  const isUnknown = (name: string) => !known.includes(name);
  return [
    ...inFile.filter(isUnknown).map((name) => describe(name, file ?? 'the settings file')),
    ...inEnvironment.filter(isUnknown).map((name) => describe(name, 'the environment')),
  ];
}

/** The known name that shares the most pairs of adjacent letters, if more than half are shared. */
function nearestName(name: string, known: string[]): string | undefined {
  const pairsOf = (text: string) => {
    const letters = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
    return new Set(Array.from(letters.slice(1), (letter, i) => `${letters[i]}${letter}`));
  };
  const given = pairsOf(name);
  const likeness = known.map((one) => {
    const pairs = pairsOf(one);
    return (2 * given.intersection(pairs).size) / (given.size + pairs.size);
  });
  const most = Math.max(...likeness);
  return most > 0.5 ? known[likeness.indexOf(most)] : undefined;
}
