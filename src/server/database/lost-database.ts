import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { UnfitDatabase } from './errors.ts';

/**
 * Checks, before a first start, that the data folder has no images or backups, which show that a database was lost.
 * @param database where the empty or missing database is, for the message
 * @param others further files that a lost database would have left
 * @throws UnfitDatabase
 */
export function requireNothingLost(dataDir: string, database: string, others: string[] = []): void {
  const left = [path.join(dataDir, 'images'), path.join(dataDir, 'backups')].filter(isStocked);
  left.push(...others);
  if (left.length === 0) return;
  throw new UnfitDatabase(
    `There is no database in ${database}, and yet there is something in ${left.join(' and ')}: the database was lost, or the settings name another one (DATABASE_URL, DATA_DIR). Put it back, restore a backup into an empty place (tertulia restore), or name other settings. No new one was made.`,
  );
}

/** Whether a folder contains something, or cannot be read. */
function isStocked(folder: string): boolean {
  try {
    return existsSync(folder) && readdirSync(folder).length > 0;
  } catch {
    return true;
  }
}
