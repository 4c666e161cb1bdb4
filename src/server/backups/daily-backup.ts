import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.ts';
import { withLock } from '../database/locks/advisory-lock.ts';
import { renameDurably } from '../database/sync-files.ts';
import { backupFolder, fileTime, isBackupDue, surplusBackups } from './backup-folder.ts';
import { noteVerified } from './last-backup.ts';
import { makeBackup } from './make-backup.ts';
import { withSource } from './open-source.ts';
import { verifyBackup } from './verify-backup.ts';

export interface DailyBackup {
  file: string;
  bytes: number;
  madeAt: string;
  /** Objects that the image store had lost before. */
  lost: string[];
}

/**
 * Makes today's backup, proves it, and then removes those beyond the number to keep. It has its name
 * only once it is proven, so that no other counts as today's.
 * @returns undefined when another process has made it meanwhile @throws LockLost, DamagedBackup
 */
export async function makeDailyBackup(config: Config, nowMs: number) {
  return withSource(config, async (source) => {
    const folder = backupFolder(config);
    const file = path.join(folder, `daily-${fileTime(nowMs)}.tar`);
    const unproven = `${file}.unproven`;
    const made = await withLock(source, async (confirmLock) => {
      if (!(await isBackupDue(config, nowMs))) return 'made already';
      await clearUnfinished(folder);
      const made = await makeBackup(source, unproven, confirmLock);
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
    if (made === 'made already') return undefined;
    const { madeAt } = made.manifest;
    await noteVerified(config, madeAt);
    for (const name of await surplusBackups(config, nowMs)) await rm(path.join(folder, name));
    return { file, bytes: (await stat(file)).size, madeAt, lost: made.lost };
  });
}

/** What a process that was ended in the middle has left. */
async function clearUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (/^daily-.*\.(part|unproven)$|^verifying-/.test(name)) {
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }
}
