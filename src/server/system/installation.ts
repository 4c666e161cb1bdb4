import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

/** The root folder of this program's installation. */
export const installation = path.join(import.meta.dirname, '../../..');

/** How messages write `tertulia admin`: only a clone has the npm scripts. */
export const adminCommand = existsSync(path.join(installation, 'scripts/prepare.js'))
  ? 'npm run admin --'
  : 'tertulia admin';

/** @throws when this program's files are no longer there, as after an update that did not restart the server */
export function requireProgram(): Promise<void> {
  return access(path.join(installation, 'dist/client/.vite/manifest.json'));
}
