// Makes a backup beside a running server, or proves one. docs/operating.md says how to use it.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { backupFolder, fileTime } from '../src/server/backups/backup-folder.ts';
import type { BackupReport } from '../src/server/backups/backup-process.ts';
import { makeDailyBackup } from '../src/server/backups/daily-backup.ts';
import { noteVerified } from '../src/server/backups/last-backup.ts';
import { makeBackup } from '../src/server/backups/make-backup.ts';
import type { Manifest } from '../src/server/backups/manifest.ts';
import { withSource } from '../src/server/backups/open-source.ts';
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

async function make(config: Config, place: string | undefined): Promise<void> {
  const name = `tertulia-${fileTime(Date.now())}.tar`;
  const file = path.resolve(place ?? path.join(backupFolder(config), name));
  const { manifest, lost } = await withSource(config, (source) =>
    withLock(source, (confirmLock) => makeBackup(source, file, confirmLock)),
  );
  console.log(`${summary(manifest)} are in ${file}`);
  for (const key of lost)
    console.error(`The image store has lost ${key}: it is not in the backup.`);
  console.log(`Prove it with: npm run backup -- --verify ${file}`);
}

async function verify(config: Config, file: string): Promise<void> {
  const manifest = await verifyBackup(file);
  await noteVerified(config, manifest.madeAt);
  console.log(`${file} of ${manifest.madeAt} is whole: ${summary(manifest)}`);
}

/** For housekeeping, which hears of it and goes on or ends. */
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
  return `${rows} rows and ${pictures?.count ?? 'no'} picture files`;
}
