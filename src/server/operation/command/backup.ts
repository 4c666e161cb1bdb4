import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isatty } from 'node:tty';
import { withLock } from '../../database/locks/locks.ts';
import { describeLost } from '../../images/key-count.ts';
import { OperatorError, type Print, UsageError } from '../../system/operator-error.ts';
import { type Config, parseConfig } from '../../system/settings/config.ts';
import { describeDatabase, describeImageStore } from '../../system/settings/describe-stores.ts';
import { describeSettings } from '../../system/settings/settings-file.ts';
import { backUpSite } from '../backups/back-up-site.ts';
import { backupFolder, type DailyFile, fileTime } from '../backups/backup-folder.ts';
import type { BackupReport } from '../backups/backup-process.ts';
import { withSource } from '../backups/backup-source.ts';
import { makeDailyBackup } from '../backups/daily-backup.ts';
import { type Manifest, summarize } from '../backups/manifest.ts';
import { restoreBackup } from '../backups/restore-backup.ts';
import { verifyBackup } from '../backups/verify-backup.ts';
import { writeBackup } from '../backups/write-backup.ts';
import type { Context } from './command-line.ts';
import { writeToStandardOutput } from './standard-output.ts';

/** Makes a backup, even while a server runs, or verifies one. */
export async function backup({ config, settings, values, positionals }: Context): Promise<void> {
  const { daily, verify: isVerified, restore: isTried } = values;
  const [target] = positionals;
  if ((daily && (isVerified || target)) || (isVerified && !target) || (isTried && !isVerified)) {
    throw new UsageError(
      'tertulia backup takes a FILE, --verify FILE, --verify --restore FILE or --daily: one of them.',
    );
  }
  // The server runs this command as its child (backup-process.ts).
  if (daily && process.send) return reportDaily(config);
  if (isVerified && target) return verify(path.resolve(target), isTried === true);
  const isPiped = target === '-';
  if (isPiped && isatty(1)) {
    throw new UsageError(
      'tertulia backup - writes the archive to standard output: lead it into a file or another program.',
    );
  }
  const print: Print = isPiped ? console.error : console.log;
  print(`Settings: ${describeSettings(settings)}`);
  print(`Reading ${describeDatabase(config)} and ${describeImageStore(config)}`);
  if (daily) return makeDaily(config);
  const name = `tertulia-${fileTime(Date.now())}.tar`;
  const named = path.resolve(target ?? path.join(backupFolder(config), name));
  const { manifest, file } = await withSource(config, (source) =>
    withLock(source, async (confirmLock) => {
      if (!isPiped) return backUpSite(source, named, confirmLock);
      const manifest = await writeBackup(source, writeToStandardOutput, confirmLock);
      return { manifest, file: 'standard output' };
    }),
  );
  requireComplete(file, manifest);
  print(`${summarize(manifest)} are in ${file}`);
  if (!isPiped) print(`Verify it with: tertulia backup --verify ${file}`);
}

async function verify(file: string, isTried: boolean): Promise<void> {
  const manifest = isTried ? await tryRestore(file) : await verifyBackup(file);
  requireComplete(file, manifest);
  const done = isTried ? 'verified and can be restored' : 'verified';
  console.log(`${file} of ${manifest.madeAt} is ${done}: ${summarize(manifest)}`);
}

/**
 * Restores a backup into a folder beside it, since the system's temporary folder may be in memory. The folder has a
 * fixed name, so that the next trial removes the remains of a killed one.
 */
async function tryRestore(file: string): Promise<Manifest> {
  const folder = path.join(path.dirname(file), 'trial-restore');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  try {
    return await restoreBackup(parseConfig({ DATA_DIR: folder }), file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws OperatorError when an undamaged backup lacks files of images in use */
function requireComplete(file: string, { images, lost }: Pick<Manifest, 'images' | 'lost'>): void {
  if (lost.count === 0) return;
  throw new OperatorError(
    `The backup in ${file} is incomplete: it has ${images} image files, and ${describeLost(lost)}.`,
  );
}

/** Makes and verifies today's backup, and removes daily backups beyond BACKUP_KEEP, or 7 if that is 0. */
async function makeDaily(config: Config): Promise<void> {
  const backupKeep = config.backupKeep || 7;
  const isComplete = ({ lost }: DailyFile) => lost === 0;
  const made = await makeDailyBackup({ ...config, backupKeep }, Date.now(), isComplete);
  if (!made) return console.log('There is already a daily backup of the last 23 hours.');
  requireComplete(made.file, made);
  console.log(`${made.file} is made and verified: ${made.bytes} bytes`);
}

/** Makes today's backup, reports the result to the server and exits with it. */
async function reportDaily(config: Config): Promise<void> {
  process.on('disconnect', () => process.exit(1));
  const report: BackupReport = await makeDailyBackup(config, Date.now()).then(
    (made) => ({ made }),
    (error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(report, () => process.disconnect?.());
}
