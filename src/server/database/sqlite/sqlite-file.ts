import path from 'node:path';

/** Path of the SQLite database in a data folder. */
export function sqliteFile(dataDir: string): string {
  return path.join(dataDir, 'tertulia.db');
}
