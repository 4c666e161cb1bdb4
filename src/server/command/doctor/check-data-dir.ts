import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { backupFolder, dailyBackups, lastComplete } from '../../backups/backup-folder.ts';
import { readLocalLedger } from '../../backups/erasure-ledger.ts';
import type { Config } from '../../config/config.ts';
import { sqliteFile } from '../../config/data-dir.ts';
import { openToRead } from '../../database/engine.ts';
import { siteIdentity } from '../../database/site-generation.ts';
import { toInstant } from '../../database/tables.ts';
import { findFailedTasks } from '../../failed-tasks.ts';
import { advice, type Finding, fix, ok } from '../../finding.ts';
import { dayMs } from '../../times.ts';
import { findFault } from '../../unusable-files.ts';
import { runCheck } from './run-check.ts';

const mb = 1_000_000;
const minFreeMb = { fix: 200, advice: 1000 };

/** Checks permissions, free disk space and backups of the data folder. */
export async function checkDataDir(config: Config, nowMs: number): Promise<Finding[]> {
  const { dataDir } = config;
  const exists = await stat(dataDir).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!exists) return [advice('data folder', `${dataDir} does not exist: the server creates it`)];
  return [
    await runCheck('data folder', () => checkPermissions(dataDir)),
    ...(await checkSecrecy(dataDir)),
    await runCheck('disk', () => checkDisk(dataDir)),
    await runCheck('backup', () => checkBackups(config, nowMs)),
    ...(await checkFailedTasks(dataDir, nowMs)),
  ];
}

async function checkPermissions(dataDir: string): Promise<Finding> {
  const all = ['.', 'tertulia.db', 'tertulia.db-wal', 'images/.', 'uploads/.', 'backups/.'];
  for (const name of all) {
    const fault = await findFault(dataDir, name);
    if (fault) return fix('data folder', fault);
  }
  await readLocalLedger({ dataDir });
  return ok('data folder', dataDir);
}

/** The database contains personal data: only its owner should read it. */
async function checkSecrecy(dataDir: string): Promise<Finding[]> {
  // Without permission to enter the folder, other users cannot read the file.
  if (((await stat(dataDir)).mode & 0o007) === 0) return [];
  const file = sqliteFile(dataDir);
  const { mode } = await stat(file).catch(() => ({ mode: 0 }));
  const subject = 'permissions';
  if ((mode & 0o002) !== 0) return [fix(subject, `anyone can write to ${file}: chmod 600`)];
  if ((mode & 0o004) === 0) return [];
  return [advice(subject, `all users of this machine can read ${file}: chmod o= ${file}`)];
}

async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const freeMb = Math.floor((bavail * bsize) / mb);
  const message = `${freeMb} MB are free`;
  if (freeMb < minFreeMb.fix)
    return fix('disk', `${message}: free some space, or writes will fail`);
  return freeMb < minFreeMb.advice ? advice('disk', `${message}: soon full`) : ok('disk', message);
}

/** Reports failed tasks: they do not stop the server, which repeats them. */
async function checkFailedTasks(dataDir: string, nowMs: number): Promise<Finding[]> {
  return (await findFailedTasks(dataDir, nowMs)).map(({ name, failedAtMs }) =>
    fix(
      'server',
      `${name} fails, last at ${toInstant(failedAtMs)}: see "${name} failed" in the log`,
    ),
  );
}

/** Checks the newest daily backups of this site; `checkFailedTasks` reports why backups fail. */
async function checkBackups(config: Config, nowMs: number): Promise<Finding> {
  const identity = await readIdentity(config);
  if (!identity)
    return advice('backup', 'without the database nothing says which backups are of this site');
  const { backupKeep } = config;
  const dailies = await dailyBackups({ config, siteIdentity: identity });
  const last = lastComplete(dailies, nowMs);
  const since = last?.madeAtMs ?? 0;
  const lacking = dailies.findLast(
    ({ lost, madeAtMs }) => lost > 0 && madeAtMs > since && madeAtMs <= nowMs,
  );
  const message = last
    ? `the last verified one is ${last.name}`
    : 'there is no verified daily backup';
  if (lacking) {
    const file = path.join(backupFolder(config), lacking.name);
    return fix(
      'backup',
      `${message}, and ${lacking.name} is incomplete: tertulia backup --verify ${file} says what it lacks`,
    );
  }
  if (!last) {
    const action =
      backupKeep > 0 ? 'BACKUP_KEEP is set: one is made within an hour' : 'set BACKUP_KEEP=7';
    return advice('backup', `${message}; ${action}`);
  }
  const days = Math.floor((nowMs - last.madeAtMs) / dayMs);
  if (days < (backupKeep > 0 ? 2 : 7)) return ok('backup', message);
  return fix('backup', `${message}: make one, and see why none is made every day`);
}

/** @returns undefined when there is no database, or it cannot be read, which its own check reports */
async function readIdentity(config: Config): Promise<string | undefined> {
  const db = openToRead(config);
  return (
    db &&
    (await siteIdentity(db)
      .catch(() => undefined)
      .finally(() => db.destroy()))
  );
}
