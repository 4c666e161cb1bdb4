import path from 'node:path';
import { parseArgs } from 'node:util';
import { restoreBackup } from '../backups/restore-backup.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../operator-error.ts';

/** Restores a backup into the empty database and image store of the settings. */
export async function restore(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { 'keep-sessions': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (!file || others.length > 0) {
    throw new OperatorError('usage: tertulia restore [--keep-sessions] FILE');
  }
  const keepSessions = values['keep-sessions'];
  const { madeAt, pictures } = await restoreBackup(config, path.resolve(file), { keepSessions });
  const what = pictures ? 'The site' : 'The rows, without images,';
  console.log(`${what} of ${madeAt} is restored. Start the server with tertulia start.`);
  console.log(
    keepSessions
      ? 'Sessions and links to a new password were restored.'
      : 'Sessions and links to a new password were left out, since some were ended after the backup: everyone has to sign in again. To move a site, use --keep-sessions.',
  );
}
