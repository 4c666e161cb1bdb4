import { constants, lstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { ledgerIn } from '../backups/erasure-ledger.ts';
import { openedByRoot } from '../backups/opened-by-root.ts';
import { unlessMissing } from '../missing.ts';
import { OperatorError } from '../operator-error.ts';
import { usableBytes } from '../uploads/disk-reserve.ts';

/** A backup that is named on the command line. */
export interface NamedBackup {
  file: string;
  /** Whether the command writes the backup, rather than reads it. */
  isMade: boolean;
}

const { O_RDONLY, O_RDWR, O_CREAT } = constants;
/** Flags to follow no link and not to wait for the other end of a pipe. */
const safely = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a backup, and the ledger of erased accounts beside one to be restored, if only root can change
 * the folder and those above it. Elsewhere another user could lead root to another file by a link.
 * @throws OperatorError when the file to be written exists and is not empty
 */
export async function openAsRoot({ file, isMade }: NamedBackup): Promise<void> {
  const folder = path.dirname(file);
  if (!isControlledByRoot(folder)) return;
  const remember = async (file: string, handle: FileHandle) => {
    openedByRoot.set(file, { handle, usableBytes: await usableBytes(folder) });
  };
  if (!isMade) {
    await remember(file, await open(file, O_RDONLY | safely));
    const ledger = ledgerIn(folder);
    const beside = await unlessMissing(open(ledger, O_RDONLY | safely));
    if (beside) await remember(ledger, beside);
    return;
  }
  const handle = await open(file, O_RDWR | O_CREAT | safely, 0o600);
  // A failed backup leaves an empty file.
  const found = await handle.stat();
  if (!found.isFile() || found.size > 0) throw new OperatorError(`${file} exists already`);
  await remember(file, handle);
}

/** Whether only root can change the folder and the folders above it, and its path has no links. */
function isControlledByRoot(folder: string): boolean {
  for (let current = folder; ; current = path.dirname(current)) {
    const found = lstatSync(current, { throwIfNoEntry: false });
    if (!found?.isDirectory() || found.uid !== 0) return false;
    const isSticky = (found.mode & 0o1000) !== 0;
    const isShared = (found.mode & 0o022) !== 0;
    // In a sticky folder such as /tmp, other users cannot replace a folder of root.
    if (isShared && (current === folder || !isSticky)) return false;
    if (current === path.dirname(current)) return true;
  }
}
