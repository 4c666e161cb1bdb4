import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { ConfigError } from '../config/config.ts';
import { codeOf } from '../error-code.ts';
import { installation } from '../installation.ts';
import { OperatorError, type Print } from '../operator-error.ts';
import { userName } from '../user-name.ts';
import { findLeadingUser } from './leading-user.ts';

/** Documented, but missing in Node's types. */
const { initgroups } = process as { initgroups?: (user: string, group: number) => void };

/**
 * When the process runs as root, makes it the owner of the data folder: the server could not open files
 * that root creates there. The owner of a folder above comes first, since it can replace those below.
 * @param openFiles called before, while the process is root
 * @param print called with the user that it becomes
 * @throws ConfigError when it is not a folder; OperatorError when this user may not enter it, become its
 * owner or read the installation
 */
export async function becomeOwner(
  dataDir: string,
  openFiles: () => Promise<void>,
  print: Print,
): Promise<void> {
  const folder = findFolder(dataDir);
  if (folder && !folder.isDirectory()) {
    throw new ConfigError([`DATA_DIR (${dataDir}) is not a folder`]);
  }
  const owner = process.getuid?.() === 0 ? findLeadingUser(dataDir) : undefined;
  if (owner) {
    await openFiles();
    try {
      becomeUser(owner);
    } catch (error) {
      throw codeOf(error) === 'EPERM' ? powerless(dataDir, owner) : error;
    }
    requireInstallation();
    print(`Running as ${userName()}, the owner of ${dataDir}.`);
  }
  if (folder) requireAccess(dataDir, folder);
}

function findFolder(dataDir: string): Stats | undefined {
  try {
    return statSync(dataDir, { throwIfNoEntry: false });
  } catch (error) {
    throw codeOf(error) === 'EACCES' ? deniedTo(dataDir) : error;
  }
}

function becomeUser({ uid, gid }: Stats): void {
  const user = findUser(uid);
  if (user) initgroups?.(user.username, user.gid);
  else process.setgroups?.([gid]);
  process.setgid?.(user?.gid ?? gid);
  process.setuid?.(uid);
  // SUDO_USER names the caller in the audit log; libraries read files of HOME, and PostgreSQL signs in
  // USER where DATABASE_URL names nobody.
  process.env.SUDO_USER ??= 'root';
  if (user) Object.assign(process.env, { HOME: user.homedir, USER: user.username });
  else delete process.env.USER;
}

/** @returns undefined for an id without a name, as in a container */
function findUser(uid: number) {
  // `userInfo` describes the effective user.
  process.seteuid?.(uid);
  try {
    return userInfo();
  } catch {
    return undefined;
  } finally {
    process.seteuid?.(0);
  }
}

/** Without read access, this user could not load the rest of the program. */
function requireInstallation(): void {
  try {
    accessSync(import.meta.filename, constants.R_OK);
  } catch {
    const folder = path.resolve(installation);
    throw new OperatorError(
      `The user ${userName()} may not read the installation, ${folder}, which the server needs too. Make it and the folders above it readable: chmod 0755 ${path.dirname(folder)} ${folder}`,
    );
  }
}

function requireAccess(dataDir: string, { uid }: Stats): void {
  const read = constants.R_OK | constants.X_OK;
  // The owner can still read when the folder is not writable.
  const needed = uid === process.getuid?.() ? read : read | constants.W_OK;
  try {
    accessSync(dataDir, needed);
  } catch (error) {
    if (codeOf(error) === 'EACCES') throw deniedTo(dataDir, uid);
    if (codeOf(error) !== 'EROFS') throw error;
  }
}

function powerless(dataDir: string, { uid, gid }: Stats): OperatorError {
  return new OperatorError(
    `Here root may not become the owner of the data folder ${dataDir}, as in a container without capabilities. Run the command as that user, for example: docker compose exec --user ${uid}:${gid}`,
  );
}

function deniedTo(dataDir: string, uid?: number): OperatorError {
  const owner = uid === undefined ? '' : ` It belongs to the user with the id ${uid}.`;
  return new OperatorError(
    `The user ${userName()} may not open and change the data folder ${dataDir}.${owner} Run the command as its owner, or as root, which then becomes the owner; or change the owner of the folder, or set another DATA_DIR.`,
  );
}
