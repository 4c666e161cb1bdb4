import path from 'node:path';
import { isatty } from 'node:tty';
import { backUpSite } from '../backups/back-up-site.ts';
import { backupFolder, type DailyFile, fileTime } from '../backups/backup-folder.ts';
import type { BackupReport } from '../backups/backup-process.ts';
import { withSource } from '../backups/backup-source.ts';
import { makeDailyBackup } from '../backups/daily-backup.ts';
import { IncompleteBackup } from '../backups/incomplete-backup.ts';
import { summarize } from '../backups/manifest.ts';
import { verifyBackup } from '../backups/verify-backup.ts';
import type { Config } from '../config/config.ts';
import { describeDatabase, describeImageStore } from '../config/describe-stores.ts';
import { describeSettings } from '../config/settings-file.ts';
import { withLock } from '../database/locks.ts';
import { type Print, UsageError } from '../operator-error.ts';
import type { Context } from './commands.ts';

/** Makes a backup beside a running server, or verifies one. */
export async function backup({ config, settings, values, positionals }: Context): Promise<void> {
  const { daily } = values;
  const [target] = positionals;
  if (daily && (values.verify || target)) {
    throw new UsageError('tertulia backup takes a FILE, --verify FILE or --daily: one of them.');
  }
  // The server runs this command as its child (backup-process.ts).
  if (daily && process.send) return reportDaily(config);
  if (values.verify) {
    if (!target) throw new UsageError('usage: tertulia backup --verify FILE');
    return verify(path.resolve(target));
  }
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
    withLock(source, (confirmLock) => backUpSite(source, isPiped ? 1 : named, confirmLock)),
  );
  if (manifest.lost.count > 0) throw new IncompleteBackup(file, manifest);
  print(`${summarize(manifest)} are in ${file}`);
  if (!isPiped) print(`Verify it with: tertulia backup --verify ${file}`);
}

async function verify(file: string): Promise<void> {
  const manifest = await verifyBackup(file);
  if (manifest.lost.count > 0) throw new IncompleteBackup(file, manifest);
  console.log(`${file} of ${manifest.madeAt} is verified: ${summarize(manifest)}`);
}

/** Makes and verifies today's backup and removes those beyond BACKUP_KEEP, by default 7. */
async function makeDaily(config: Config): Promise<void> {
  const backupKeep = config.backupKeep || 7;
  const isComplete = ({ lost }: DailyFile) => lost === 0;
  const made = await makeDailyBackup({ ...config, backupKeep }, Date.now(), isComplete);
  if (!made) return console.log('There is already a daily backup of the last 23 hours.');
  if (made.lost.count > 0) throw new IncompleteBackup(made.file, made);
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
