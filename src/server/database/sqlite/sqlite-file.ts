import path from 'node:path';

/** Where the SQLite database of a data folder lies. */
export function sqliteFile(dataDir: string): string {
  return path.join(dataDir, 'tertulia.db');
}
