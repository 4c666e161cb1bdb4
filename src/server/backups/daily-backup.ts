import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { withLock } from '../database/locks/advisory-lock.ts';
import { renameDurably } from '../files.ts';
import { backUpSite } from './back-up-site.ts';
import { backupFolder, fileTime, isBackupDue, surplusBackups } from './backup-folder.ts';
import { withSource } from './backup-source.ts';
import { recordVerified } from './last-backup.ts';
import { verifyBackup } from './verify-backup.ts';

export interface DailyBackup {
  file: string;
  bytes: number;
  madeAt: string;
  /** Keys of images that are missing from the image store. */
  lost: string[];
}

/**
 * Makes and verifies today's backup, then removes surplus ones. The file is named `….unproven` until it
 * is verified.
 * @returns undefined when another process has made it meanwhile @throws LockLost, DamagedBackup
 */
export async function makeDailyBackup(
  config: Config,
  nowMs: number,
): Promise<DailyBackup | undefined> {
  return withSource(config, async (source) => {
    const folder = backupFolder(config);
    const file = path.join(folder, `daily-${fileTime(nowMs)}.tar`);
    const unproven = `${file}.unproven`;
    const made = await withLock(source, async (confirmLock) => {
      if (!(await isBackupDue(config, nowMs))) return 'already made';
      const made = await backUpSite(source, unproven, confirmLock);
      try {
        await verifyBackup(unproven);
        await confirmLock();
        await renameDurably(unproven, file);
      } catch (error) {
        await rm(unproven, { force: true });
        throw error;
      }
      return made;
    });
    if (made === 'already made') return undefined;
    const { madeAt } = made.manifest;
    // Remove surplus backups first: the disk may be too full to record the new one.
    for (const name of await surplusBackups(config, nowMs)) await rm(path.join(folder, name));
    await recordVerified(config, madeAt);
    return { file, bytes: (await stat(file)).size, madeAt, lost: made.lost };
  });
}
