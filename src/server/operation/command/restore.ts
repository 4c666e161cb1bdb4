import { statSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../../shared/limits.ts';
import { engineNamed } from '../../database/engine.ts';
import { describeLost } from '../../images/key-count.ts';
import { settingsInForce } from '../../site-settings/site-settings.ts';
import type { Config } from '../../system/settings/config.ts';
import { describeDatabase, describeImageStore } from '../../system/settings/describe-stores.ts';
import { describeSettings } from '../../system/settings/settings-file.ts';
import { type Restored, restoreBackup } from '../backups/restore-backup.ts';
import type { Context } from './command-line.ts';

/** Restores a backup into the empty database and image store of the settings. */
export async function restore(context: Context): Promise<void> {
  const { config, settings, values, positionals } = context;
  const [file = ''] = positionals;
  const keepSessions = values['keep-sessions'] === true;
  console.log(`Settings: ${describeSettings(settings)}`);
  console.log(`Filling ${describeDatabase(config)} and ${describeImageStore(config)}`);
  const { ledger: named } = values;
  const ledgerFile = typeof named === 'string' ? path.resolve(named) : undefined;
  const restored = await restoreBackup(config, path.resolve(file), {
    keepSessions,
    ledgerFile,
    print: console.error,
  });
  const { madeAt, pictures, lost } = restored;
  const what = pictures ? 'The site' : 'The rows, without images,';
  warnOfRoot(config);
  console.log(`${what} of ${madeAt} is restored. Start the server.`);
  console.log(describeErasures(restored));
  console.log(await describeReaders(config));
  if (lost.count > 0) console.error(`The backup is incomplete: ${describeLost(lost)}.`);
  console.log(
    keepSessions
      ? 'Sessions, recovery codes and links to a new password were restored.'
      : 'Sessions, recovery codes and links to a new password were left out, since some were ended after the backup: everyone has to sign in again, and who wants recovery codes makes new ones. Roles, passwords, passkeys, invitations and decisions are as they were then: repeat what was changed since. To move a site, use --keep-sessions.',
  );
}

/** Without a ledger nobody is asked, since a site that never erased an account has none. */
function describeErasures({ madeAt, ledger: { files, applied } }: Restored): string {
  if (files.length === 0)
    return `There is no ledger of erased accounts: accounts that were erased, or whose deletion was requested, after ${madeAt} are as they were then. If you have a copy of erased-accounts.txt, restore again, into an empty site, with --ledger FILE.`;
  const { erased, requested, cancelled } = applied;
  return `The ledger of erased accounts (${files.join(', ')}) was applied. Accounts that the first start erases again: ${erased}; deletions requested again: ${requested}; requests cancelled again: ${cancelled}. Who asked to be deleted has ${limits.deletionDays} days from the first start to cancel that.`;
}

/** A backup from before the community was closed restores an open community. */
async function describeReaders(config: Config): Promise<string> {
  await using db = engineNamed(config).openToRead(config);
  const isClosed = db && (await settingsInForce(db)).readers === 'members';
  return isClosed
    ? 'As when the backup was made, only members can read the community.'
    : 'As when the backup was made, everyone can read the community; an admin changes that in /moderation/settings.';
}

/** Warns about a data folder that root created, which the server's user could not open. */
function warnOfRoot({ dataDir }: Config): void {
  if (statSync(dataDir, { throwIfNoEntry: false })?.uid !== 0) return;
  console.error(
    `${dataDir} belongs to root. If the server runs as another user, give it the data before it starts: chown -R <user>: ${dataDir}`,
  );
}
