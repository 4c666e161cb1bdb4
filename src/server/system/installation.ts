import { existsSync } from 'node:fs';
import path from 'node:path';

/** The root folder of this program's installation. */
export const installation = path.join(import.meta.dirname, '../../..');

/** Runs `tertulia admin` where this is printed: only a clone has the scripts of npm. */
export const adminCommand = existsSync(path.join(installation, 'scripts/prepare.js'))
  ? 'npm run admin --'
  : 'tertulia admin';
