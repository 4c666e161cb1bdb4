import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../operator-error.ts';

/** Linux shows this id as the owner of files whose user does not exist in a container. */
const nobody = 65_534;
const maxLinks = 40;

/**
 * Follows a path from the root folder to the first folder or link that root does not own: from there, its
 * owner could lead root to any file by a link.
 * @returns undefined where only root can change which folder the path names
 * @throws OperatorError where all users or a group can
 */
export function findLeadingUser(folder: string): Stats | undefined {
  const names = folder.split(path.sep).filter(Boolean);
  let current = path.parse(folder).root;
  for (let links = 0; links < maxLinks; ) {
    const found = lstatSync(current, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (found.uid !== 0 && found.uid !== nobody) return found;
    if (found.isSymbolicLink()) {
      links++;
      const target = readlinkSync(current);
      names.unshift(...target.split(path.sep).filter(Boolean));
      current = path.isAbsolute(target) ? path.parse(target).root : path.dirname(current);
    } else {
      requireUnshared(current, found, names.length === 0);
    }
    const next = names.shift();
    if (next === undefined) return undefined;
    current = path.join(current, next);
  }
  return undefined;
}

/** @param isLast whether root would read and write in this folder itself */
function requireUnshared(folder: string, { mode, gid }: Stats, isLast: boolean): void {
  const isShared = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0);
  // In a sticky folder such as /tmp, other users cannot replace a folder of root.
  const isSticky = (mode & 0o1000) !== 0;
  if (!isShared || (isSticky && !isLast)) return;
  throw new OperatorError(
    `Other users can change ${folder}, a folder of root, and could lead root to other files by links. Run the command as the user that the server runs as, or let only root change it: chmod go-w ${folder}`,
  );
}
