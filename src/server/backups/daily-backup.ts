import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { withLock } from '../database/locks.ts';
import { siteIdentity } from '../database/site-generation.ts';
import { renameDurably } from '../files.ts';
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
import { verifyBackup } from './verify-backup.ts';

export interface DailyBackup extends Pick<Manifest, 'madeAt' | 'images' | 'lost'> {
  file: string;
  bytes: number;
}

/**
 * Makes and verifies today's backup, then removes surplus ones. The file is named
 * `….unproven` until it is verified; one that lacks images in use is named incomplete from the beginning.
 * @param counted which are backups of the day already, see `isBackupDue`
 * @returns undefined when another process has made it meanwhile @throws LockLost, DamagedBackup
 */
export async function makeDailyBackup(
  config: Config,
  nowMs: number,
  counted?: (daily: DailyFile) => boolean,
): Promise<DailyBackup | undefined> {
  return withSource(config, async (source) => {
    const site = { config, siteIdentity: await siteIdentity(source.db) };
    const folder = backupFolder(config);
    const unproven = path.join(folder, `${dailyName(site, nowMs)}.unproven`);
    const made = await withLock(source, async (confirmLock) => {
      if (!(await isBackupDue(site, nowMs, counted))) return 'already made';
      const { manifest, file } = await backUpSite(source, unproven, confirmLock);
      const verified = file.slice(0, -'.unproven'.length);
      try {
        await verifyBackup(file);
        await confirmLock();
        await renameDurably(file, verified);
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
      return { ...manifest, file: verified };
    });
    if (made === 'already made') return undefined;
    const { file, madeAt, images, lost } = made;
    const kept = { keep: config.backupKeep, nowMs };
    for (const { name } of surplusBackups(await dailyBackups(site), kept))
      await rm(path.join(folder, name));
    return { file, bytes: (await stat(file)).size, madeAt, images, lost };
  });
}
