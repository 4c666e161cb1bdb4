import { access, constants, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { readLastBackup } from '../backups/last-backup.ts';
import type { Config } from '../config.ts';
import { sqliteFile } from '../database/sqlite/sqlite-file.ts';
import { advice, expectWell, type Finding, mend, ok } from './finding.ts';

const mb = 1_000_000;
const leastFreeMb = { works: 200, comfortable: 1000 };
const dayMs = 86_400_000;

/** The folder of the data: its rights, its disk and its backups. */
export async function examinePlace(config: Config, nowMs: number): Promise<Finding[]> {
  const { dataDir } = config;
  const isThere = await stat(dataDir).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere) return [advice('data folder', `${dataDir} is not there: the server makes it`)];
  return [
    await expectWell('data folder', () => examineRights(dataDir)),
    ...(await examineSecrets(dataDir)),
    await expectWell('disk', () => examineDisk(dataDir)),
    examineBackups(config, await readLastBackup(config), nowMs),
  ];
}

async function examineRights(dataDir: string): Promise<Finding> {
  const all = ['.', 'tertulia.db', 'tertulia.db-wal', 'images', 'uploads', 'backups'];
  for (const name of all) {
    const place = path.join(dataDir, name);
    const rights = await access(place, constants.R_OK | constants.W_OK).then(
      () => 'ok',
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (rights === 'ok' || rights === 'ENOENT') continue;
    const owner = (await stat(dataDir)).uid;
    return mend('data folder', `${place} cannot be written to: chown -R ${owner} ${dataDir}`);
  }
  return ok('data folder', dataDir);
}

/** What holds e-mails, hashes of passwords or keys should be its owner's alone. */
async function examineSecrets(dataDir: string): Promise<Finding[]> {
  const found: Finding[] = [];
  // Whoever cannot enter the folder reads nothing in it.
  const isOpen = ((await stat(dataDir)).mode & 0o007) !== 0;
  for (const file of [...(isOpen ? [sqliteFile(dataDir)] : []), path.resolve('.env')]) {
    const mode = await stat(file).then(
      (one) => one.mode,
      () => 0,
    );
    if ((mode & 0o002) !== 0) found.push(mend('rights', `anyone can write to ${file}: chmod 600`));
    else if ((mode & 0o004) !== 0) {
      found.push(advice('rights', `all users of this machine can read ${file}: chmod o= ${file}`));
    }
  }
  return found;
}

async function examineDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const freeMb = Math.floor((bavail * bsize) / mb);
  const says = `${freeMb} MB are free`;
  if (freeMb < leastFreeMb.works) return mend('disk', `${says}: make room before it stops taking`);
  return freeMb < leastFreeMb.comfortable ? advice('disk', `${says}: soon full`) : ok('disk', says);
}

function examineBackups({ backupKeep }: Config, last: string | null, nowMs: number): Finding {
  if (last === null) {
    const state =
      backupKeep > 0 ? 'BACKUP_KEEP is set: the next hour should bring one' : 'set BACKUP_KEEP=7';
    return advice('backup', `none was ever proven; ${state}`);
  }
  const days = Math.floor((nowMs - Date.parse(last)) / dayMs);
  const says = `the last proven one is of ${last}`;
  if (backupKeep > 0 && days >= 2) {
    return mend('backup', `${says}: the daily ones fail. The log says why: backup failed`);
  }
  return days >= 7 ? advice('backup', `${says}: make one`) : ok('backup', says);
}
