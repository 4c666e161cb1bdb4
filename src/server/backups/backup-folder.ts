import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.ts';

/** Where backups go unless another place is named. */
export function backupFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'backups');
}

/** A little less than a day, since housekeeping asks by the hour and should not slip. */
const dueAfterMs = 23.5 * 3_600_000;
const dailyName = /^daily-.*\.tar$/;

/** Names, oldest first. */
export async function dailyBackups(config: Pick<Config, 'dataDir'>): Promise<string[]> {
  const names = await readdir(backupFolder(config)).catch(() => []);
  return names.filter((name) => dailyName.test(name)).sort();
}

/**
 * Whether the newest daily backup is a day old, or there is none. Here because the server asks it by
 * the hour, and should not have to load what makes one.
 */
export async function isBackupDue(config: Config, nowMs: number): Promise<boolean> {
  if (config.backupKeep === 0) return false;
  const agesMs = (await dailyBackups(config)).map((name) => nowMs - (timeOfFile(name) ?? 0));
  // One from the future, from when the clock was wrong, counts for nothing.
  return !agesMs.some((ageMs) => ageMs >= 0 && ageMs < dueAfterMs);
}

/**
 * Names of those beyond the number to keep. One from the future was made while the clock was wrong, and
 * goes before all others: it would outlive every right one.
 */
export async function surplusBackups(config: Config, nowMs: number): Promise<string[]> {
  const names = await dailyBackups(config);
  const { future = [], past = [] } = Object.groupBy(names, (name) =>
    (timeOfFile(name) ?? 0) > nowMs ? 'future' : 'past',
  );
  return [...future, ...past].slice(0, -config.backupKeep);
}

/** A time as a part of a file's name, in UTC; sorts as the times do. */
export function fileTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[:.]/g, '-');
}

/** The time that `fileTime` gave to a name; undefined when there is none. */
function timeOfFile(name: string): number | undefined {
  const found = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)/.exec(name);
  return found ? Date.parse(`${found[1]}:${found[2]}:${found[3]}.${found[4]}`) : undefined;
}
