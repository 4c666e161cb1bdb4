import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.ts';
import { renameDurably, sync } from '../database/sync-files.ts';
import { backupFolder } from './backup-folder.ts';

type Place = Pick<Config, 'dataDir'>;

const recordOf = (config: Place) => path.join(backupFolder(config), 'last-verified.txt');

/** ISO time of the newest backup that was proven, null when none was. */
export async function readLastBackup(config: Place): Promise<string | null> {
  const time = (await readFile(recordOf(config), 'utf8').catch(() => '')).trim();
  return Number.isNaN(Date.parse(time)) ? null : time;
}

/** Notes that a backup was proven, unless a newer one was before, by a clock that was right. */
export async function noteVerified(config: Place, madeAt: string): Promise<void> {
  const knownMs = Date.parse((await readLastBackup(config)) ?? '');
  if (knownMs > Date.parse(madeAt) && knownMs <= Date.now()) return;
  const file = recordOf(config);
  const part = `${file}.${crypto.randomUUID()}.part`;
  await mkdir(backupFolder(config), { recursive: true });
  await writeFile(part, `${madeAt}\n`);
  await sync(part);
  await renameDurably(part, file);
}
