// `npm run backup`: makes a backup beside a running server, or verifies one (docs/operating.md).

import path from 'node:path';
import { parseArgs } from 'node:util';
import { backupFolder, fileTime } from '../src/server/backups/backup-folder.ts';
import type { BackupReport } from '../src/server/backups/backup-process.ts';
import { withSource } from '../src/server/backups/backup-source.ts';
import { makeDailyBackup } from '../src/server/backups/daily-backup.ts';
import { recordVerified } from '../src/server/backups/last-backup.ts';
import { makeBackup } from '../src/server/backups/make-backup.ts';
import type { Manifest } from '../src/server/backups/manifest.ts';
import { verifyBackup } from '../src/server/backups/verify-backup.ts';
import type { Config } from '../src/server/config.ts';
import { withLock } from '../src/server/database/locks/advisory-lock.ts';
import { runScript } from './run-script.ts';

await runScript(async (config) => {
  const { values, positionals } = parseArgs({
    options: { verify: { type: 'string' }, daily: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.daily) await makeDaily(config);
  else if (values.verify) await verify(config, path.resolve(values.verify));
  else await make(config, positionals[0]);
});

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
  console.log(`Verify it with: npm run backup -- --verify ${file}`);
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
