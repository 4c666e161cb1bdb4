import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../../operator-error.ts';
import { tryFileLock } from './file-lock.ts';

/** Another process serves from this data folder. */
export class DataDirInUse extends OperatorError {
  constructor(dataDir: string) {
    super(`Another tertulia is already serving the data in ${dataDir}. Stop it, or set DATA_DIR.`);
  }
}

/**
 * Locks the data folder for this process.
 * @throws DataDirInUse @returns a function that unlocks it
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const unlock = tryFileLock(path.join(dataDir, 'tertulia.lock'));
  if (!unlock) throw new DataDirInUse(dataDir);
  return unlock;
}
