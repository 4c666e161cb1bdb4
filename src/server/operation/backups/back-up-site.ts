import { rm } from 'node:fs/promises';
import path from 'node:path';
import { engineOf } from '../../database/engine.ts';
import type { ConfirmLock } from '../../database/engine-type.ts';
import { backupFolder } from './backup-folder.ts';
import type { BackedUpSite } from './backup-source.ts';
import { makeBackup } from './make-backup.ts';
import { removeUnfinished } from './remove-unfinished.ts';
import { requireSpace } from './require-space.ts';

/**
 * Removes unfinished backups, checks the disk space, then backs up rows and images (`makeBackup`).
 * Call it with the housekeeping lock, so that no unfinished backup is still being written.
 */
export async function backUpSite(
  site: BackedUpSite,
  file: string,
  confirmLock: ConfirmLock,
  options: { isVerified?: boolean } = {},
) {
  const { config, db } = site;
  await removeUnfinished(backupFolder(config), /^(daily|tertulia)-.*\.part$/);
  await rm(`${file}.part`, { force: true });
  const { bytes } = await db
    .selectFrom('images')
    .select((eb) => eb.fn.coalesce(eb.fn.sum('stored_bytes'), eb.lit(0)).as('bytes'))
    .executeTakeFirstOrThrow();
  const needed = Number(bytes) + (await engineOf(db).size(db));
  await requireSpace(path.dirname(file), needed, 'The backup');
  return makeBackup(site, file, confirmLock, options);
}
