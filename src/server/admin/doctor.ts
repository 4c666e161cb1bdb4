import type { Config } from '../config.ts';
import { checkDataDir } from './check-data-dir.ts';
import { checkSettings } from './check-settings.ts';
import { checkStores } from './check-stores.ts';

interface DoctorOptions {
  /** Milliseconds since 1970. */
  now: () => number;
  print: (line: string) => void;
}

/**
 * Checks settings, data folder, database and bucket, and prints what to do.
 * @returns whether something must be fixed
 */
export async function doctor(config: Config, { now, print }: DoctorOptions): Promise<boolean> {
  const findings = [
    ...checkSettings(config),
    ...(await checkDataDir(config, now())),
    ...(await checkStores(config)),
  ];
  for (const { level, subject, message } of findings) {
    print(`${level.padEnd(8)}${subject.padEnd(14)}${message}`);
  }
  return findings.some(({ level }) => level === 'fix');
}
