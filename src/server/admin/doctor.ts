import type { Config } from '../settings/config.ts';
import { describeDatabase, describeImageStore } from '../settings/places.ts';
import { describeSettings, type SettingsFile } from '../settings/settings-file.ts';
import { findWarnings } from '../settings/settings-warnings.ts';
import { findUnknownSettings } from '../settings/unknown-settings.ts';
import { checkDataDir } from './check-data-dir.ts';
import { checkSettings } from './check-settings.ts';
import { checkStores } from './check-stores.ts';
import { advice, type Finding } from './finding.ts';

interface DoctorOptions {
  /** Milliseconds since 1970. */
  now: () => number;
  print: (line: string) => void;
}

/**
 * Checks settings, data folder, database and bucket, and prints where they are and what to do.
 * @param settings that the config is from
 * @returns whether something must be fixed
 */
export async function doctor(
  config: Config,
  settings: SettingsFile,
  { now, print }: DoctorOptions,
): Promise<boolean> {
  print(`Settings: ${describeSettings(settings)}`);
  print(`Database: ${describeDatabase(config)}`);
  print(`Images: ${describeImageStore(config)}`);
  const findings = [
    ...checkNames(config, settings),
    ...checkSettings(config),
    ...(await checkDataDir(config, now())),
    ...(await checkStores(config)),
  ];
  for (const { level, subject, message } of findings) {
    print(`${level.padEnd(8)}${subject.padEnd(14)}${message}`);
  }
  return findings.some(({ level }) => level === 'fix');
}

function checkNames(config: Config, settings: SettingsFile): Finding[] {
  return [...findUnknownSettings(settings, process.env), ...findWarnings(settings, config)].map(
    (line) => advice('settings', line),
  );
}
