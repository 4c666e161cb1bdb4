import { statSync } from 'node:fs';
import { UnfitDatabase } from '../errors.ts';

/**
 * Remembers which files the server has open, the database and its write-ahead log.
 * @returns a function that finds one in whose place is another file, or none: SQLite would go on writing to a file that
 * nobody can open any more
 */
export function rememberFiles(database: string): () => string | undefined {
  const files = [database, `${database}-wal`].flatMap((file) => {
    const identity = identify(file);
    return ['missing', 'unknown'].includes(identity) ? [] : { file, identity };
  });
  return () =>
    files.find(({ file, identity }) => ![identity, 'unknown'].includes(identify(file)))?.file;
}

/** @returns 'unknown' for a file that cannot be asked for, as on a failing disk, which requests report */
function identify(file: string): string {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats ? `${stats.dev} ${stats.ino}` : 'missing';
  } catch {
    return 'unknown';
  }
}

export class ReplacedFile extends UnfitDatabase {
  constructor(file: string) {
    super(
      `${file} was replaced or removed while the server ran. It has stopped, since nothing that it wrote would be found again; what was written in the last second may be lost. Put back both files, tertulia.db and tertulia.db-wal, or restore a backup. If the new tertulia.db is to stay, remove a tertulia.db-wal that does not belong to it first.`,
    );
  }
}
