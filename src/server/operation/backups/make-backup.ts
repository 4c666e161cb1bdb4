import { existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ConfirmLock } from '../../database/engine-type.ts';
import { renameDurably } from '../../system/files.ts';
import { OperatorError } from '../../system/operator-error.ts';
import { incompleteName } from './backup-folder.ts';
import type { Manifest } from './manifest.ts';
import { verifyBackup } from './verify-backup.ts';
import { type BackupSource, writeBackup } from './write-backup.ts';

/**
 * Makes a backup in a new file (`writeBackup`), which is named `….part` until it is complete and on disk.
 * @param isVerified reads the whole backup again before the file gets its final name
 * @returns the manifest and the file, which has another name (`incompleteName`) when images in use are missing
 * @throws OperatorError when the file exists: a backup is never overwritten; LockLost, DamagedBackup, leaving no file
 */
export async function makeBackup(
  source: BackupSource,
  file: string,
  confirmLock: ConfirmLock,
  { isVerified = false } = {},
): Promise<{ manifest: Manifest; file: string }> {
  if (existsSync(file)) throw new OperatorError(`${file} exists already`);
  const part = `${file}.part`;
  await mkdir(path.dirname(file), { recursive: true });
  // Only this user may read it, since a backup contains password hashes.
  await using handle = await open(part, 'wx', 0o600);
  try {
    const manifest = await writeBackup(source, (bytes) => handle.writeFile(bytes), confirmLock);
    await handle.sync();
    if (isVerified) await verifyBackup(part);
    await confirmLock();
    const { count } = manifest.lost;
    const name = count === 0 ? file : incompleteName(file, count);
    await renameDurably(part, name);
    return { manifest, file: name };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
