// Restores a backup into the empty place that the settings name. docs/operating.md says more.
import path from 'node:path';
import { restoreBackup } from '../src/server/backups/restore-backup.ts';
import { runScript } from './run-script.ts';

await runScript(async (config) => {
  const [file, ...others] = process.argv.slice(2);
  if (!file || others.length > 0) throw new Error('usage: npm run restore -- FILE');
  const { madeAt, pictures } = await restoreBackup(config, path.resolve(file));
  const what = pictures ? 'The site' : 'The rows, without pictures,';
  console.log(`${what} of ${madeAt} lies in its place again. Start it with npm start.`);
});
