import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { withLock } from '../../database/locks/locks.ts';
import { siteIdentity } from '../../database/site-epoch.ts';
import type { Config } from '../../system/settings/config.ts';
import { backUpSite } from './back-up-site.ts';
import {
  backupFolder,
  type DailyFile,
  dailyBackups,
  dailyName,
  isBackupDue,
  surplusBackups,
} from './backup-folder.ts';
import { withSource } from './backup-source.ts';
import type { Manifest } from './manifest.ts';

export interface DailyBackup extends Pick<Manifest, 'madeAt' | 'images' | 'lost'> {
  file: string;
  bytes: number;
}

/**
 * Makes and verifies today's backup, then removes surplus ones.
 * @param counted see `isBackupDue`
 * @returns undefined when there is already a backup of the day @throws LockLost, DamagedBackup
 */
export async function makeDailyBackup(
  config: Config,
  nowMs: number,
  counted?: (daily: DailyFile) => boolean,
): Promise<DailyBackup | undefined> {
  return withSource(config, async (source) => {
    const site = { config, siteIdentity: await siteIdentity(source.db) };
    const folder = backupFolder(config);
    const made = await withLock(source, async (confirmLock) => {
      if (!(await isBackupDue(site, nowMs, counted))) return 'already made';
      const file = path.join(folder, dailyName(site, nowMs));
      return backUpSite(source, file, confirmLock, { isVerified: true });
    });
    if (made === 'already made') return undefined;
    const kept = { keep: config.backupKeep, nowMs };
    for (const { name } of surplusBackups(await dailyBackups(site), kept))
      await rm(path.join(folder, name));
    const { file, manifest } = made;
    const { madeAt, images, lost } = manifest;
    return { file, bytes: (await stat(file)).size, madeAt, images, lost };
  });
}
