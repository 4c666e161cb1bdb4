// Restores a backup into the empty place that the settings name. docs/operating.md says more.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { restoreBackup } from '../src/server/backups/restore-backup.ts';
import { runScript } from './run-script.ts';

await runScript(async (config) => {
  const { values, positionals } = parseArgs({
    options: { 'keep-sessions': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (!file || others.length > 0) {
    throw new Error('usage: npm run restore -- [--keep-sessions] FILE');
  }
  const keepSessions = values['keep-sessions'];
  const { madeAt, pictures } = await restoreBackup(config, path.resolve(file), { keepSessions });
  const what = pictures ? 'The site' : 'The rows, without pictures,';
  console.log(`${what} of ${madeAt} lies in its place again. Start it with npm start.`);
  console.log(
    keepSessions
      ? 'Whoever was signed in then is signed in, and links to a new password work as they did.'
      : 'Nobody is signed in: sessions and links to a new password were left out, since some were ended after the backup. For a move, --keep-sessions keeps them.',
  );
});
