import { accessSync, constants, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../system/error-code.ts';
import { OperatorError, UsageError } from '../../system/operator-error.ts';
import { ConfigError } from '../../system/settings/config.ts';
import { typedCommand } from '../../system/typed-command.ts';
import { describeDenied, describeOwner } from '../../system/unusable-files.ts';
import { describeUser, nameOfUser, userName } from '../../system/user-name.ts';

/** Files that commands open. They are checked first because SQLite's errors name no file. */
const openedFiles = [
  'tertulia.db',
  'tertulia.db-wal',
  'tertulia.db-shm',
  'tertulia.lock',
  'housekeeping.lock',
];

/**
 * Checks that this user may use the data folder. Root may not when it belongs to another user, because the
 * server could not open the files that root creates there.
 * @throws ConfigError when it is not a folder; UsageError with the command to type as its owner;
 * OperatorError when this user may not open the folder or its database
 */
export function requireOwner(dataDir: string): void {
  const folder = findFolder(dataDir);
  if (!folder) return;
  if (!folder.isDirectory()) throw new ConfigError([`DATA_DIR (${dataDir}) is not a folder`]);
  if (process.getuid?.() === 0) {
    if (folder.uid === 0) return;
    throw new UsageError(
      `The data folder ${dataDir} belongs to ${describeUser(folder.uid)}, and root would leave files there that the server cannot open. Type:\n${asOwner(folder)}`,
    );
  }
  requireAccess(dataDir, folder);
  for (const name of openedFiles) {
    const file = path.join(dataDir, name);
    if (!mayAccess(file, constants.R_OK | constants.W_OK))
      throw new OperatorError(describeDenied(dataDir, file));
  }
}

function findFolder(dataDir: string): Stats | undefined {
  try {
    return statSync(dataDir, { throwIfNoEntry: false });
  } catch (error) {
    throw codeOf(error) === 'EACCES'
      ? new OperatorError(`${describeOwner(dataDir)}. Type as root:\n${typedCommand()}`)
      : error;
  }
}

function requireAccess(dataDir: string, folder: Stats): void {
  const read = constants.R_OK | constants.X_OK;
  // The owner needs no write permission: commands that only read work without it.
  const needed = folder.uid === process.getuid?.() ? read : read | constants.W_OK;
  if (mayAccess(dataDir, needed)) return;
  throw new OperatorError(
    `The user ${userName()} may not open and change the data folder ${dataDir}, which belongs to ${describeUser(folder.uid)}. Type as root:\n${asOwner(folder)}`,
  );
}

/** Whether access is not denied. Also true for a missing file, or one on a read-only disk. */
function mayAccess(file: string, needed: number): boolean {
  try {
    accessSync(file, needed);
    return true;
  } catch (error) {
    return codeOf(error) !== 'EACCES';
  }
}

/** The command with which root runs this command as the folder's owner. */
function asOwner({ uid, gid }: Stats): string {
  const name = nameOfUser(uid);
  const become = name
    ? `runuser -u ${name} --`
    : `setpriv --reuid=${uid} --regid=${gid} --clear-groups`;
  return `${become} ${typedCommand()}`;
}
