import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../../system/missing.ts';
import type { Config } from '../../system/settings/config.ts';

/** A site, given by its settings and its identity (site-epoch.ts). */
export interface Site {
  config: Pick<Config, 'dataDir' | 'backupKeep'>;
  siteIdentity: string;
}

/** A verified daily backup. */
export interface DailyFile {
  name: string;
  /** Milliseconds since 1970. */
  madeAtMs: number;
  /** Number of image files that were missing or damaged when it was made; 0 for a complete backup. */
  lost: number;
}

/** Folder of daily backups, and of other backups unless the operator names a file. */
export function backupFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'backups');
}

/** Less than a day, so that hourly checks do not delay each daily backup by another hour. */
const dueAfterMs = 23.5 * 3_600_000;

export function dailyName({ siteIdentity }: Pick<Site, 'siteIdentity'>, timeMs: number): string {
  return `daily-${fileTime(timeMs)}-${siteIdentity}.tar`;
}

/** The name of an incomplete backup. It contains the number of missing files, so that nobody takes it for a complete one. */
export function incompleteName(file: string, lost: number): string {
  return file.replace(/(\.tar)?$/, `.incomplete-${lost}$1`);
}

/**
 * The daily backups of this site, oldest first. Backups by another site that used the folder are ignored.
 * @throws when the folder cannot be read, since otherwise a backup would seem due every hour
 */
export async function dailyBackups({ config, siteIdentity }: Site): Promise<DailyFile[]> {
  const names = (await unlessMissing(readdir(backupFolder(config)))) ?? [];
  return names.sort().flatMap((name) => {
    const [, day, hour, minute, second, identity, lost = 0] =
      /^daily-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d-\d{3})Z-(\w+)(?:\.incomplete-(\d+))?\.tar$/.exec(
        name,
      ) ?? [];
    if (identity !== siteIdentity) return [];
    const time = `${day}T${hour}:${minute}:${second?.replace('-', '.')}Z`;
    return [{ name, madeAtMs: Date.parse(time), lost: Number(lost) }];
  });
}

/** The newest complete daily backup. Ignores backups dated in the future, which were made while the clock was wrong. */
export function lastComplete(dailies: DailyFile[], nowMs: number): DailyFile | undefined {
  return dailies.findLast(({ lost, madeAtMs }) => lost === 0 && madeAtMs <= nowMs);
}

/**
 * Whether daily backups are enabled and the newest is a day old or missing.
 * @param counted whether a backup counts as the day's. By default incomplete ones count, since missing files rarely
 * come back by themselves, and repeating a full backup every hour would wear out the disk
 */
export async function isBackupDue(
  site: Site,
  nowMs: number,
  counted: (daily: DailyFile) => boolean = () => true,
): Promise<boolean> {
  if (site.config.backupKeep === 0) return false;
  const agesMs = (await dailyBackups(site)).filter(counted).map((daily) => nowMs - daily.madeAtMs);
  // Ignore backups dated in the future, which were made while the clock was wrong.
  return !agesMs.some((ageMs) => ageMs >= 0 && ageMs < dueAfterMs);
}

/**
 * The daily backups to remove. Complete and incomplete ones are counted separately, so that neither displaces the other;
 * incomplete ones older than all complete ones to keep are removed as well. Backups dated in the future are removed first:
 * a wrong clock dated them, and they would outlive all others.
 */
export function surplusBackups(
  dailies: DailyFile[],
  { keep, nowMs }: { keep: number; nowMs: number },
): DailyFile[] {
  const ordered = [...dailies].sort(
    (a, b) => Number(b.madeAtMs > nowMs) - Number(a.madeAtMs > nowMs) || a.madeAtMs - b.madeAtMs,
  );
  const complete = ordered.filter(({ lost }) => lost === 0);
  const incomplete = ordered.filter(({ lost }) => lost > 0);
  const past = complete.filter(({ madeAtMs }) => madeAtMs <= nowMs);
  const oldestMs = past.at(-keep)?.madeAtMs ?? 0;
  const outdated = incomplete.filter(({ madeAtMs }) => madeAtMs < oldestMs);
  return [...new Set([...complete.slice(0, -keep), ...incomplete.slice(0, -keep), ...outdated])];
}

/** Formats a time in UTC for a file name. Names sort by time. */
export function fileTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[:.]/g, '-');
}
