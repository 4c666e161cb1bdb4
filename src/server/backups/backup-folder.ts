import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { unlessMissing } from '../missing.ts';

/** Folder of the daily backups and, unless a file is named, of all others. */
export function backupFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'backups');
}

/** Less than a day, so that an hourly check does not delay each backup by an hour. */
const dueAfterMs = 23.5 * 3_600_000;
const dailyName = /^daily-.*\.tar$/;

/**
 * @returns file names, oldest first
 * @throws when the folder cannot be read, since a backup would then seem due each hour
 */
export async function dailyBackups(config: Pick<Config, 'dataDir'>): Promise<string[]> {
  const names = (await unlessMissing(readdir(backupFolder(config)))) ?? [];
  return names.filter((name) => dailyName.test(name)).sort();
}

/** Whether daily backups are switched on and the newest is a day old or missing. */
export async function isBackupDue(config: Config, nowMs: number): Promise<boolean> {
  if (config.backupKeep === 0) return false;
  const agesMs = (await dailyBackups(config)).map((name) => nowMs - (timeOfFile(name) ?? 0));
  // A backup dated in the future was made while the clock was wrong: ignore it.
  return !agesMs.some((ageMs) => ageMs >= 0 && ageMs < dueAfterMs);
}

/**
 * Daily backups beyond the number to keep, those dated in the future first: a wrong clock dated them, and
 * they would outlive every correctly dated backup.
 */
export async function surplusBackups(config: Config, nowMs: number): Promise<string[]> {
  const names = await dailyBackups(config);
  const { future = [], past = [] } = Object.groupBy(names, (name) =>
    (timeOfFile(name) ?? 0) > nowMs ? 'future' : 'past',
  );
  return [...future, ...past].slice(0, -config.backupKeep);
}

/** Formats a time for a file name, in UTC. Names sort as the times do. */
export function fileTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[:.]/g, '-');
}

/** Parses the time that `fileTime` formatted; undefined when the name has none. */
function timeOfFile(name: string): number | undefined {
  const found = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)/.exec(name);
  return found ? Date.parse(`${found[1]}:${found[2]}:${found[3]}.${found[4]}`) : undefined;
}
