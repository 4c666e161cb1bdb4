import { existsSync } from 'node:fs';
import path from 'node:path';
import { installation } from './installation.ts';

const ownFile = path.join(installation, '.env');
const systemFile = '/etc/tertulia/tertulia.env';

/**
 * Adds the settings of the file that server and commands share to the environment, which takes
 * precedence.
 * @param file read instead of the installation's `.env` or `/etc/tertulia/tertulia.env`
 * @returns the file that was read, or undefined without one
 * @throws when a file that exists or was named cannot be read
 */
export function loadSettings(file = process.env.TERTULIA_ENV_FILE): string | undefined {
  const found = file || [ownFile, systemFile].find((known) => existsSync(known));
  if (found) process.loadEnvFile(found);
  return found;
}
