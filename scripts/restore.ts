// `npm run restore`: restores a backup into the empty database and image store of the settings
// (docs/operating.md).
import path from 'node:path';
import { parseArgs } from 'node:util';
import { restoreBackup } from '../src/server/backups/restore-backup.ts';
import { OperatorError } from '../src/server/operator-error.ts';
import { runScript } from './run-script.ts';

await runScript(async (config) => {
  const { values, positionals } = parseArgs({
    options: { 'keep-sessions': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (!file || others.length > 0) {
    throw new OperatorError('usage: npm run restore -- [--keep-sessions] FILE');
  }
  const keepSessions = values['keep-sessions'];
  const { madeAt, pictures } = await restoreBackup(config, path.resolve(file), { keepSessions });
  const what = pictures ? 'The site' : 'The rows, without images,';
  console.log(`${what} of ${madeAt} is restored. Start the server with npm start.`);
  console.log(
    keepSessions
      ? 'Sessions and links to a new password were restored.'
      : 'Sessions and links to a new password were left out, since some were ended after the backup: everyone has to sign in again. To move a site, use --keep-sessions.',
  );
});
