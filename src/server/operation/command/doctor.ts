import { existsSync } from 'node:fs';
import { engineNamed } from '../../database/engine.ts';
import { migrationNames, readMigrations, requireKnown } from '../../database/migrations/migrate.ts';
import { siteIdentity } from '../../database/site-epoch.ts';
import type { Database } from '../../database/tables.ts';
import { countLost } from '../../images/count-lost.ts';
import { countStrays } from '../../images/count-strays.ts';
import { describeLost } from '../../images/key-count.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import { openImageStore } from '../../images/stores/open-image-store.ts';
import { readLocalLedger } from '../../privacy/erasure/erasure-ledger.ts';
import { describeProgress, isIndexComplete } from '../../search-index/index-state.ts';
import { settingsInForce } from '../../site-settings/site-settings.ts';
import { usableBytes } from '../../system/disk-reserve.ts';
import { OperatorError } from '../../system/operator-error.ts';
import { describeDatabase, describeImageStore } from '../../system/settings/describe-stores.ts';
import { findDoubts, isPlainHttp } from '../../system/settings/doubtful-settings.ts';
import { describeSettings } from '../../system/settings/settings-file.ts';
import { findUnknownSettings } from '../../system/settings/unknown-settings.ts';
import { dayMs } from '../../system/times.ts';
import { findFault } from '../../system/unusable-files.ts';
import { buildDate, buildName, isOldBuild } from '../../system/version.ts';
import { alertTests } from '../alerts/test-alert.ts';
import { backupFolder, dailyBackups, lastComplete } from '../backups/backup-folder.ts';
import { findNewest } from '../start/require-clock.ts';
import type { Context } from './command-line.ts';
import { describeFailure } from './failures.ts';

/** Each check returns its finding, or throws an error that says what to do. None changes anything. */
const checks: [subject: string, check: (context: Context) => Promise<string>][] = [
  ['settings', checkSettings],
  ['database', checkDatabase],
  ['images', checkImages],
  ['space', checkSpace],
  ['last backup', checkLastBackup],
  ['version', describeVersion],
];

/** Checks the installation. The exit code is 1 when something is not ok. */
export async function runDoctor(context: Context): Promise<void> {
  const answers = [];
  const asked = context.values.alert ? [...checks, ...alertTests] : checks;
  for (const [subject, check] of asked) {
    const answer = await check(context).then(
      (message) => ({ isOk: true, message }),
      (error: unknown) => ({ isOk: false, message: describe(error) }),
    );
    answers.push({ subject, ...answer });
    if (!answer.isOk) process.exitCode = 1;
  }
  if (context.values.json) return console.log(JSON.stringify(answers, null, 2));
  for (const { subject, isOk, message } of answers) {
    console.log(`${(isOk ? 'ok' : 'not ok').padEnd(8)}${subject.padEnd(14)}${message}`);
  }
}

function describe(error: unknown): string {
  const described = describeFailure(error);
  return described instanceof Error ? described.message : String(described);
}

async function checkSettings({ config, settings }: Context): Promise<string> {
  const problems = [...findUnknownSettings(settings, process.env), ...findDoubts(config)];
  if (problems.length > 0) throw new OperatorError(problems.join('; '));
  return describeSettings(settings);
}

async function checkDatabase({ config }: Context): Promise<string> {
  const engine = engineNamed(config);
  const place = describeDatabase(config);
  if (engine.isRestoring(config)) throw new OperatorError('a restore is running: wait for its end');
  await requireUsable(config.dataDir, '.', 'tertulia.db', 'tertulia.db-wal');
  engine.inspect(config);
  await using db = engine.openToRead(config);
  if (!db) return `${place} does not exist yet: the server creates it`;
  await engine.requireVersion(db);
  const done = await readMigrations(db);
  requireKnown(done);
  const schema = done.at(-1);
  if (schema === undefined) return `${place} is empty: the server creates the tables`;
  if (done.length < migrationNames.length)
    return `${place} is of an older version (${schema}): the server updates it when it starts`;
  await engine.requireWritable(db);
  const doubts = await engine.findDoubts(db);
  if (doubts.length > 0) throw new OperatorError(doubts.join('; '));
  if (isPlainHttp(config) && (await settingsInForce(db)).readers === 'members') {
    throw new OperatorError(
      'only members read this community, and PUBLIC_URL is http: their browsers keep no reading cookie, so they see no pages by address and no images. Put TLS in front, and use https',
    );
  }
  const isIndexed = await isIndexComplete(db);
  const index = isIndexed
    ? ''
    : `; the server builds the search index: ${await describeProgress(db)}`;
  return `${place}: ${await engine.version(db)}, ${schema}${index}${await describeClock(db)}`;
}

/** Not a fault by itself: nobody may have been here for days. */
async function describeClock(db: Database): Promise<string> {
  const newestMs = await findNewest(db);
  const days = Math.floor((Date.now() - newestMs) / dayMs);
  return newestMs > 0 && days > 0
    ? `; its newest comment, session or decision is ${days} days old: if somebody was here since, the clock is wrong`
    : '';
}

async function checkImages({ config, values }: Context): Promise<string> {
  await requireUsable(config.dataDir, 'images/.', 'uploads/.');
  const place = describeImageStore(config);
  if (!config.s3 && !values.images) return place;
  const images = await openImageStore(config);
  await images.check();
  await using db = values.images === true ? engineNamed(config).openToRead(config) : undefined;
  return db ? `${place}: ${await compareImages(db, images)}` : place;
}

async function compareImages(db: Database, images: ImageStore): Promise<string> {
  const lost = await countLost(db, images);
  if (lost.count > 0) {
    throw new OperatorError(
      `${describeLost(lost)}. Put them back from the newest backup that has them, or erase what shows them`,
    );
  }
  const { count, examples } = await countStrays(db, images);
  if (count === 0) return 'none is missing, and the database knows all of them';
  const files = count === 1 ? '1 file is' : `${count} files are`;
  return `none is missing; ${files} not known to the database, for example ${examples.join(', ')}. If they are of no other site or copy of this one, delete them by hand: nothing else does`;
}

async function checkSpace({ config: { dataDir } }: Context): Promise<string> {
  if (!existsSync(dataDir)) return `${dataDir} does not exist yet: the server creates it`;
  const megabytes = Math.round((await usableBytes(dataDir)) / 1e6);
  if (megabytes < 0) {
    throw new OperatorError(
      `the disk of ${dataDir} is nearly full, so uploads are refused: free ${-megabytes} MB or more`,
    );
  }
  return `${megabytes} MB are free in ${dataDir}, beyond a reserve for the database`;
}

/** Checks the newest daily backups of this site. */
async function checkLastBackup({ config }: Context): Promise<string> {
  const folder = backupFolder(config);
  await requireUsable(config.dataDir, 'backups/.');
  await readLocalLedger(folder);
  await using db = engineNamed(config).openToRead(config);
  const identity = db && (await siteIdentity(db).catch(() => undefined));
  if (!identity) return 'without the database nothing says which backups are of this site';
  const nowMs = Date.now();
  const dailies = await dailyBackups({ config, siteIdentity: identity });
  const last = lastComplete(dailies, nowMs);
  const sinceMs = last?.madeAtMs ?? 0;
  const incomplete = dailies.findLast(
    ({ lost, madeAtMs }) => lost > 0 && madeAtMs > sinceMs && madeAtMs <= nowMs,
  );
  if (incomplete) {
    throw new OperatorError(
      `${incomplete.name} is incomplete: tertulia backup --verify ${folder}/${incomplete.name} says what it lacks`,
    );
  }
  if (!last) {
    if (config.backupKeep > 0) return 'there is none yet: the server makes one within an hour';
    throw new OperatorError('there is no daily backup: set BACKUP_KEEP=7');
  }
  if (nowMs - last.madeAtMs < 2 * dayMs) return last.name;
  throw new OperatorError(
    `${last.name} is old: see why none is made every day (BACKUP_KEEP, "backup failed" in the log)`,
  );
}

/** Age is no failure: nothing is wrong with an old version that is still the newest. */
async function describeVersion(): Promise<string> {
  const date = buildDate();
  if (date === undefined) return buildName();
  const old = isOldBuild(Date.now())
    ? '; older than a year: look whether there is a newer one'
    : '';
  return `${buildName()} of ${date.slice(0, 10)}${old}`;
}

/** @throws OperatorError when this user cannot read and write one of these files; missing ones are ignored */
async function requireUsable(dataDir: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const fault = await findFault(dataDir, name);
    if (fault) throw new OperatorError(fault);
  }
}
