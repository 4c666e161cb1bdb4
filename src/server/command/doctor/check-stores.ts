import { countWaiting } from '../../accounts/email/queue-mail.ts';
import type { Config } from '../../config/config.ts';
import { describeImageStore } from '../../config/describe-stores.ts';
import { engineNamed, openToRead } from '../../database/engine.ts';
import { migrationNames, readMigrations, requireKnown } from '../../database/migrations/migrate.ts';
import { advice, type Finding, fix, ok } from '../../finding.ts';
import { countLost } from '../../images/count-lost.ts';
import { countStrays } from '../../images/count-strays.ts';
import { describeLost } from '../../images/key-count.ts';
import { openImageStore } from '../../images/stores/open-image-store.ts';
import { hasAdmin, noAdmin } from '../../moderation/deciding-accounts.ts';
import { describeProgress, isIndexComplete } from '../../search/index/index-state.ts';
import { runCheck } from './run-check.ts';

/**
 * Checks that database and bucket respond, without writing.
 * @param isThorough looks for images that the store or the database does not know, too
 */
export async function checkStores(config: Config, isThorough: boolean): Promise<Finding[]> {
  if (engineNamed(config).isRestoring(config)) {
    const message = 'a restore is running: the site is complete when it has finished';
    return [advice('database', message)];
  }
  const findings = [await runCheck('database', () => checkDatabase(config))];
  if (findings[0]?.level !== 'fix') findings.push(...(await checkEngine(config)));
  if (config.s3) {
    const images = await openImageStore(config);
    const bucket = await runCheck('bucket', async () => {
      await images.check();
      return ok('bucket', 'it responds');
    });
    findings.push(bucket);
  }
  if (findings.some(({ level }) => level === 'fix')) return findings;
  // Only a database of this version has roles, and rows of images.
  if (findings[0]?.level !== 'ok') return findings;
  findings.push(await runCheck('admins', () => checkAdmins(config)));
  if (config.mail) findings.push(await runCheck('mail', () => checkMail(config)));
  if (isThorough) {
    findings.push(await runCheck('images', () => checkLost(config)));
    findings.push(await runCheck('images', () => checkStrays(config)));
  }
  return findings;
}

/** Checks what the engine needs besides. */
export async function checkEngine(config: Config): Promise<Finding[]> {
  const engine = engineNamed(config);
  const db = engine.openToRead(config);
  if (!db) return [];
  const findings: Finding[] = [];
  for (const [subject, check] of engine.checks(config, db))
    findings.push(await runCheck(subject, check));
  await db.destroy();
  return findings;
}

async function checkAdmins(config: Config): Promise<Finding> {
  const db = openToRead(config);
  if (!db) return ok('admins', 'there is no database yet');
  const isGiven = await hasAdmin(db, Date.now()).finally(() => db.destroy());
  return isGiven ? ok('admins', 'somebody administers the forum') : advice('admins', noAdmin);
}

/** Older than mails ever wait while the server runs and its mail server takes them. */
const longWaitMs = 3_600_000;

async function checkMail(config: Config): Promise<Finding> {
  const db = openToRead(config);
  if (!db) return ok('mail', 'there is no database yet');
  const { count, oldestMs } = await countWaiting(db).finally(() => db.destroy());
  const waiting = count === 1 ? '1 mail waits' : `${count} mails wait`;
  if (oldestMs === null || Date.now() - oldestMs < longWaitMs) return ok('mail', waiting);
  const minutes = Math.round((Date.now() - oldestMs) / 60_000);
  return advice(
    'mail',
    `${waiting}, the oldest for ${minutes} minutes: the log of the server says why. Try tertulia admin mail-test ADDRESS; MAIL_DAILY_LIMIT (${config.mail?.dailyLimit}) may be reached`,
  );
}

async function checkLost(config: Config): Promise<Finding> {
  const db = openToRead(config);
  if (!db) return ok('images', 'there is no database yet');
  const images = await openImageStore(config);
  const lost = await countLost(db, images).finally(() => db.destroy());
  if (lost.count === 0) return ok('images', 'none is missing');
  return fix(
    'images',
    `${describeLost(lost)}. Look at ${describeImageStore(config)}; put them back from the newest backup that has them, or erase what shows them`,
  );
}

async function checkStrays(config: Config): Promise<Finding> {
  const db = openToRead(config);
  if (!db) return ok('images', 'there is no database yet');
  const images = await openImageStore(config);
  const { count, examples } = await countStrays(db, images).finally(() => db.destroy());
  if (count === 0) return ok('images', 'the database knows all of them');
  const files = count === 1 ? '1 file is' : `${count} files are`;
  return advice(
    'images',
    `${files} not known to the database, for example ${examples.join(', ')}. If they are of no other site or copy of this one, they can be deleted by hand: nothing else deletes them`,
  );
}

async function checkDatabase(config: Config): Promise<Finding> {
  const engine = engineNamed(config);
  engine.inspect(config);
  const db = engine.openToRead(config);
  if (!db) return advice('database', 'there is none yet: the server creates it');
  try {
    await engine.requireVersion(db);
    const done = await readMigrations(db);
    requireKnown(done);
    const schema = done.at(-1);
    if (schema === undefined)
      return advice('database', 'it is empty: the server creates the tables');
    if (done.length < migrationNames.length) {
      return advice(
        'database',
        `it is of an older version (${schema}): the server brings it up to date when it starts`,
      );
    }
    if (!(await isIndexComplete(db))) {
      const progress = await describeProgress(db);
      return advice(
        'database',
        `the search index is not complete: the server that runs builds it: ${progress}`,
      );
    }
    return ok('database', `${await engine.version(db)}, ${schema}`);
  } finally {
    await db.destroy();
  }
}
