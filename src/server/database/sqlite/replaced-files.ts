import { statSync } from 'node:fs';
import { UnfitDatabase } from '../errors.ts';

/**
 * Remembers which files the server has open, the database and its write-ahead log.
 * @returns a function that throws UnfitDatabase when others, or none, are in their places: SQLite would go on
 * writing to files that nobody can open any more
 */
export function rememberFiles(database: string): () => void {
  const files = [database, `${database}-wal`].flatMap((file) => {
    const identity = identify(file);
    return ['missing', 'unknown'].includes(identity) ? [] : { file, identity };
  });
  return () => {
    for (const { file, identity } of files) {
      if (![identity, 'unknown'].includes(identify(file))) throw new ReplacedFile(file);
    }
  };
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

class ReplacedFile extends UnfitDatabase {
  constructor(file: string) {
    super(
      `${file} was replaced or removed while the server ran. It has stopped, since nothing that it wrote would be found again; what was written in the last second is lost. Put back both files, tertulia.db and tertulia.db-wal, or restore a backup. If the new tertulia.db is to stay, remove a tertulia.db-wal that does not belong to it first.`,
    );
  }
}
