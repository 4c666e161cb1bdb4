import path from 'node:path';
import type { Config } from '../config/config.ts';

export function uploadFolder(config: Pick<Config, 'dataDir'>): string {
  return path.join(config.dataDir, 'uploads');
}
