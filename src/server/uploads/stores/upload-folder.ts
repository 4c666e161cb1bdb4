import path from 'node:path';
import type { Config } from '../../config.ts';

/** Where the bytes of unfinished uploads gather. */
export function uploadFolder(config: Pick<Config, 'dataDir'>): string {
  return path.join(config.dataDir, 'uploads');
}
