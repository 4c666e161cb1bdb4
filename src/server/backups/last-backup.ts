import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { writeDurably } from '../files.ts';
import { backupFolder } from './backup-folder.ts';

type DataDir = Pick<Config, 'dataDir'>;

const recordFile = (config: DataDir) => path.join(backupFolder(config), 'last-verified.txt');

/** @returns ISO time of the newest verified backup; null when there is none */
export async function readLastBackup(config: DataDir): Promise<string | null> {
  const time = (await readFile(recordFile(config), 'utf8').catch(() => '')).trim();
  return Number.isNaN(Date.parse(time)) ? null : time;
}

/** Records a verified backup, unless a newer one is recorded whose time is not in the future. */
export async function recordVerified(config: DataDir, madeAt: string): Promise<void> {
  const knownMs = Date.parse((await readLastBackup(config)) ?? '');
  if (knownMs > Date.parse(madeAt) && knownMs <= Date.now()) return;
  const file = recordFile(config);
  const part = `${file}.${crypto.randomUUID()}.part`;
  await mkdir(backupFolder(config), { recursive: true });
  await writeDurably(file, part, (part) => writeFile(part, `${madeAt}\n`));
}
