import path from 'node:path';
import { parseArgs } from 'node:util';
import { backupFolder, fileTime } from '../backups/backup-folder.ts';
import type { BackupReport } from '../backups/backup-process.ts';
import { withSource } from '../backups/backup-source.ts';
import { makeDailyBackup } from '../backups/daily-backup.ts';
import { recordVerified } from '../backups/last-backup.ts';
import { makeBackup } from '../backups/make-backup.ts';
import type { Manifest } from '../backups/manifest.ts';
import { verifyBackup } from '../backups/verify-backup.ts';
import type { Config } from '../config.ts';
import { withLock } from '../database/locks/advisory-lock.ts';

/** Makes a backup beside a running server, or verifies one. */
export async function backup(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { verify: { type: 'string' }, daily: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.daily) await makeDaily(config);
  else if (values.verify) await verify(config, path.resolve(values.verify));
  else await make(config, positionals[0]);
}

async function make(config: Config, target: string | undefined): Promise<void> {
  const name = `tertulia-${fileTime(Date.now())}.tar`;
  const file = path.resolve(target ?? path.join(backupFolder(config), name));
  const { manifest, lost } = await withSource(config, (source) =>
    withLock(source, (confirmLock) => makeBackup(source, file, confirmLock)),
  );
  console.log(`${summary(manifest)} are in ${file}`);
  for (const key of lost) {
    console.error(`The image ${key} is missing from the image store and from the backup.`);
  }
  console.log(`Verify it with: tertulia backup --verify ${file}`);
}

async function verify(config: Config, file: string): Promise<void> {
  const manifest = await verifyBackup(file);
  await recordVerified(config, manifest.madeAt);
  console.log(`${file} of ${manifest.madeAt} is verified: ${summary(manifest)}`);
}

/** Runs as a child of the server (backup-process.ts): reports to it and exits with it. */
async function makeDaily(config: Config): Promise<void> {
  process.on('disconnect', () => process.exit(1));
  const report: BackupReport = await makeDailyBackup(config, Date.now()).then(
    (made) => ({ made }),
    (error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }),
  );
  process.send?.(report, () => process.disconnect?.());
}

function summary({ tables, pictures }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, { count }) => sum + count, 0);
  return `${rows} rows and ${pictures?.count ?? 'no'} image files`;
}
