import path from 'node:path';
import type { Config } from '../../system/settings/config.ts';

export function uploadFolder(config: Pick<Config, 'dataDir'>): string {
  return path.join(config.dataDir, 'uploads');
}
