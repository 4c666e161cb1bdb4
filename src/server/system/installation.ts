import { existsSync } from 'node:fs';
import path from 'node:path';

/** The root folder of this program's installation. */
export const installation = path.join(import.meta.dirname, '../../..');

/** How messages write `tertulia admin`: only a clone has the npm scripts. */
export const adminCommand = existsSync(path.join(installation, 'scripts/prepare.js'))
  ? 'npm run admin --'
  : 'tertulia admin';
