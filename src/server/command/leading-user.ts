import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../operator-error.ts';

/** The owner of what belongs to no user of this system, as in a container of another user's. */
const nobody = 65_534;
const maxLinks = 40;

/**
 * Follows a path from the root folder to the first folder or link that is not root's: its owner could
 * lead root anywhere from there, by a link.
 * @returns undefined where only root can change which folder the path names
 * @throws OperatorError where everybody or a group can
 */
export function findLeadingUser(folder: string): Stats | undefined {
  const names = folder.split(path.sep).filter(Boolean);
  let place = path.parse(folder).root;
  for (let links = 0; links < maxLinks; ) {
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (found.uid !== 0 && found.uid !== nobody) return found;
    if (found.isSymbolicLink()) {
      links++;
      const target = readlinkSync(place);
      names.unshift(...target.split(path.sep).filter(Boolean));
      place = path.isAbsolute(target) ? path.parse(target).root : path.dirname(place);
    } else {
      requireUnshared(place, found, names.length === 0);
    }
    const next = names.shift();
    if (next === undefined) return undefined;
    place = path.join(place, next);
  }
  return undefined;
}

/** @param isLast what is in it would be read and written by root */
function requireUnshared(place: string, { mode, gid }: Stats, isLast: boolean): void {
  const isShared = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0);
  // In a sticky folder such as /tmp, other users cannot replace a folder of root.
  const isSticky = (mode & 0o1000) !== 0;
  if (!isShared || (isSticky && !isLast)) return;
  throw new OperatorError(
    `Other users can change ${place}, a folder of root, and could lead root to other files by links. Run the command as the user that the server runs as, or let only root change it: chmod go-w ${place}`,
  );
}
