import path from 'node:path';
import { backupFolder, dailyBackups, lastComplete, type Site } from './backup-folder.ts';

/**
 * The newest complete daily backup of this site, which was verified when it was made.
 * @returns null when there is none, or the folder cannot be read
 */
export async function readLastBackup(site: Site): Promise<{ file: string; madeAt: string } | null> {
  const last = lastComplete(await dailyBackups(site).catch(() => []), Date.now());
  if (!last) return null;
  const file = path.join(backupFolder(site.config), last.name);
  return { file, madeAt: new Date(last.madeAtMs).toISOString() };
}
