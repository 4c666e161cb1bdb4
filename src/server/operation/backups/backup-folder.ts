import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../../system/missing.ts';
import type { Config } from '../../system/settings/config.ts';

/** A site by its settings and its identity (site-epoch.ts). */
export interface Site {
  config: Pick<Config, 'dataDir' | 'backupKeep'>;
  siteIdentity: string;
}

/** A verified daily backup. */
export interface DailyFile {
  name: string;
  /** Milliseconds since 1970. */
  madeAtMs: number;
  /** Number of files that were missing or damaged when it was made; 0: it is complete. */
  lost: number;
}

/** Folder of the daily backups and, unless a file is named, of all others. */
export function backupFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'backups');
}

/** Less than a day, so that an hourly check does not delay each backup by an hour. */
const dueAfterMs = 23.5 * 3_600_000;

export function dailyName({ siteIdentity }: Pick<Site, 'siteIdentity'>, timeMs: number): string {
  return `daily-${fileTime(timeMs)}-${siteIdentity}.tar`;
}

/** The name of an incomplete backup, which says how many files it lacks, so that it never passes for a complete one. */
export function incompleteName(file: string, lost: number): string {
  return file.replace(/(\.tar)?$/, `.incomplete-${lost}$1`);
}

/**
 * The daily backups of this site, oldest first: those of another site that used the folder are neither counted nor removed.
 * @throws when the folder cannot be read, since a backup would then seem due each hour
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

/** The newest complete daily backup. One dated in the future was made while the clock was wrong: it is ignored. */
export function lastComplete(dailies: DailyFile[], nowMs: number): DailyFile | undefined {
  return dailies.findLast(({ lost, madeAtMs }) => lost === 0 && madeAtMs <= nowMs);
}

/**
 * Whether daily backups are switched on and the newest is a day old or missing.
 * @param counted which are backups of the day; by default incomplete ones too, since what they lack seldom comes back
 * by itself, and another full backup each hour would wear the disk for nothing
 */
export async function isBackupDue(
  site: Site,
  nowMs: number,
  counted: (daily: DailyFile) => boolean = () => true,
): Promise<boolean> {
  if (site.config.backupKeep === 0) return false;
  const agesMs = (await dailyBackups(site)).filter(counted).map((daily) => nowMs - daily.madeAtMs);
  // As above, a backup dated in the future is ignored.
  return !agesMs.some((ageMs) => ageMs >= 0 && ageMs < dueAfterMs);
}

/**
 * The daily backups beyond the number to keep, of complete and of incomplete ones apart: none is removed for one of the other
 * kind, except that incomplete ones go with the complete ones of their time. Those dated in the future come first, since a
 * wrong clock dated them and they would outlive all others.
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

/** Formats a time for a file name, in UTC. Names sort as the times do. */
export function fileTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[:.]/g, '-');
}
