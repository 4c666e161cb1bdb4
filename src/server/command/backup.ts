import { existsSync } from 'node:fs';
import path from 'node:path';
import { backUpSite } from '../backups/back-up-site.ts';
import { backupFolder, fileTime } from '../backups/backup-folder.ts';
import type { BackupReport } from '../backups/backup-process.ts';
import { withSource } from '../backups/backup-source.ts';
import { makeDailyBackup } from '../backups/daily-backup.ts';
import { recordVerified } from '../backups/last-backup.ts';
import type { Manifest } from '../backups/manifest.ts';
import { openedByRoot } from '../backups/opened-by-root.ts';
import { verifyBackup } from '../backups/verify-backup.ts';
import type { Config } from '../config/config.ts';
import { describeDatabase, describeImageStore } from '../config/describe-stores.ts';
import { describeSettings } from '../config/settings-file.ts';
import { withLock } from '../database/locks/advisory-lock.ts';
import { UsageError } from '../operator-error.ts';
import type { Context } from './commands.ts';

/** Makes a backup beside a running server, or verifies one. */
export async function backup({ config, settings, values, positionals }: Context): Promise<void> {
  const { daily, verify: made } = values;
  const [target] = positionals;
  if ([daily, made, target].filter(Boolean).length > 1) {
    throw new UsageError('tertulia backup takes a FILE, --verify FILE or --daily: one of them.');
  }
  // The server runs this command as its child (backup-process.ts).
  if (daily && process.send) return reportDaily(config);
  if (typeof made === 'string') return verify(config, path.resolve(made));
  console.log(`Settings: ${describeSettings(settings)}`);
  console.log(`Reading ${describeDatabase(config)} and ${describeImageStore(config)}`);
  await (daily ? makeDaily(config) : make(config, target));
}

async function make(config: Config, target: string | undefined): Promise<void> {
  const name = `tertulia-${fileTime(Date.now())}.tar`;
  const file = path.resolve(target ?? path.join(backupFolder(config), name));
  const { manifest, lost } = await withSource(config, (source) =>
    withLock(source, (confirmLock) => backUpSite(source, file, confirmLock)),
  );
  console.log(`${summary(manifest)} are in ${file}`);
  for (const key of lost) warnOfLost(key);
  console.log(`Verify it with: tertulia backup --verify ${file}`);
}

async function verify(config: Config, file: string): Promise<void> {
  const folder = openedByRoot.has(file) ? config.dataDir : path.dirname(file);
  const manifest = await verifyBackup(file, folder);
  // A backup may be verified on another machine, which has no data folder.
  if (existsSync(config.dataDir)) await recordVerified(config, manifest.madeAt);
  console.log(`${file} of ${manifest.madeAt} is verified: ${summary(manifest)}`);
}

/** Makes and verifies today's backup and removes those beyond BACKUP_KEEP, by default 7. */
async function makeDaily(config: Config): Promise<void> {
  const backupKeep = config.backupKeep || 7;
  const made = await makeDailyBackup({ ...config, backupKeep }, Date.now());
  if (!made) return console.log('There is already a daily backup of the last 23 hours.');
  for (const key of made.lost) warnOfLost(key);
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

function warnOfLost(key: string): void {
  console.error(`The image ${key} is missing from the image store and from the backup.`);
}

function summary({ tables, pictures }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, { count }) => sum + count, 0);
  return `${rows} rows and ${pictures?.count ?? 'no'} image files`;
}
