import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../../test/eventually.ts';
import { addCover } from '../../../../test/forum/add-cover.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { tryWithLock, withLock } from '../../database/locks/locks.ts';
import { LockLost } from '../../database/postgres/advisory-lock.ts';
import { sweepImages } from '../../images/sweep-images.ts';
import { backupFolder, dailyBackups, dailyName, isBackupDue } from './backup-folder.ts';
import { backUpDaily } from './backup-process.ts';
import { makeDailyBackup } from './daily-backup.ts';
import { readLastBackup } from './last-backup.ts';

const dayMs = 86_400_000;

test('one backup is made a day, and BACKUP_KEEP complete and as many incomplete ones are kept', async () => {
  await using forum = await Forum.start('sqlite', { BACKUP_KEEP: '2' });
  const { config, siteIdentity } = forum.services;
  for (const width of [1000, 1001]) await addCover(forum, width);
  const images = path.join(config.dataDir, 'images');
  const beganMs = Date.now() - 10 * dayMs;
  const at = (day: number) => beganMs + day * dayMs;
  /** Names of backups, shortened to day and ending, for example `1.tar`. */
  const names = async () =>
    (await readdir(backupFolder(config))).sort().map((name) => {
      const day = [...Array(10).keys()].find((day) =>
        name.startsWith(dailyName(forum.services, at(day)).slice(0, -4)),
      );
      return `${day}${name.slice(name.indexOf(siteIdentity) + siteIdentity.length)}`;
    });
  await makeDailyBackup(config, at(0));
  await makeDailyBackup(config, at(1));
  assert.equal(await makeDailyBackup(config, at(1.9)), undefined);
  const [lost = ''] = await readdir(images);
  await rename(path.join(images, lost), path.join(config.dataDir, lost));
  const lacking = await makeDailyBackup(config, at(2));
  assert.deepEqual(lacking?.lost, { count: 1, examples: [lost] });
  await rename(images, `${images} away`);
  await makeDailyBackup(config, at(3));
  const empty = await makeDailyBackup(config, at(4));
  assert.deepEqual([empty?.images, empty?.lost.count, empty?.lost.examples.length], [0, 8, 3]);
  const incomplete = ['3.incomplete-8.tar', '4.incomplete-8.tar'];
  assert.deepEqual(await names(), ['0.tar', '1.tar', ...incomplete]);
  assert.equal((await readLastBackup(forum.services))?.madeAt, new Date(at(1)).toISOString());
  assert.equal(await isBackupDue(forum.services, at(4.5)), false, 'not again each hour');
  assert.equal(await isBackupDue(forum.services, at(5)), true);

  await rm(images, { recursive: true, force: true });
  await rename(`${images} away`, images);
  await rename(path.join(config.dataDir, lost), path.join(images, lost));
  await makeDailyBackup(config, at(5));
  assert.deepEqual(await names(), ['1.tar', ...incomplete, '5.tar']);
  await makeDailyBackup(config, at(6));
  assert.deepEqual(await names(), ['5.tar', '6.tar']);
});

test('a backup made with a right clock is not removed in favour of others dated in the future', async () => {
  await using forum = await Forum.start('sqlite', { BACKUP_KEEP: '2' });
  const { config } = forum.services;
  const folder = backupFolder(config);
  await mkdir(folder, { recursive: true });
  for (const days of [300, 301, 302])
    await writeFile(path.join(folder, dailyName(forum.services, Date.now() + days * dayMs)), '');
  const made = await makeDailyBackup(config, Date.now());
  const remaining = (await dailyBackups(forum.services)).map(({ name }) => name);
  assert.equal(remaining.length, 2);
  assert.ok(remaining.includes(path.basename(made?.file ?? '')));
  const last = await readLastBackup(forum.services);
  assert.equal(last?.file, made?.file, 'it counts as the last backup');
});

test('only backups of this site that exist count, and none of another site is removed', async () => {
  await using forum = await Forum.start('sqlite', { BACKUP_KEEP: '1' });
  await using other = await Forum.start('sqlite', { BACKUP_KEEP: '1' });
  // The databases of tests are copies of one template.
  await other.services.db.updateTable('site').set({ identity: '0000000f' }).execute();
  const { config } = forum.services;
  const folder = backupFolder(config);
  const foreign = await makeDailyBackup(other.services.config, Date.now());
  const copy = path.join(folder, path.basename(foreign?.file ?? ''));
  await mkdir(folder, { recursive: true });
  await copyFile(foreign?.file ?? '', copy);
  assert.equal(await readLastBackup(forum.services), null);
  const made = await makeDailyBackup(config, Date.now());
  assert.deepEqual(
    (await readdir(folder)).sort(),
    [copy, made?.file ?? ''].map((file) => path.basename(file)).sort(),
  );
  assert.equal((await readLastBackup(forum.services))?.file, made?.file);
  await rm(made?.file ?? '');
  assert.equal(await readLastBackup(forum.services), null);

  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  await assert.rejects(isBackupDue(forum.services, Date.now()), { code: 'ENOTDIR' });
});

test('a backup waits for the lock, so that it does not remove what another backup is writing', async () => {
  await using forum = await Forum.start('sqlite', { BACKUP_KEEP: '1' });
  const { config } = forum.services;
  const part = 'daily-2026-01-01T00-00-00-000Z.tar.part';
  await mkdir(backupFolder(config), { recursive: true });
  await writeFile(path.join(backupFolder(config), part), '');
  const names = () => readdir(backupFolder(config));
  const started: ReturnType<typeof makeDailyBackup>[] = [];
  const holding = withLock(forum.services, async () => {
    started.push(makeDailyBackup(config, Date.now()));
    // A backup takes less time than so many requests.
    for (let asked = 0; asked < 50; asked++) await forum.call('GET', '/readyz');
    return names();
  });
  // The forum must not stop while a backup is made.
  assert.deepEqual(await holding.finally(() => Promise.allSettled(started)), [part]);
  const [made] = await Promise.all(started);
  assert.deepEqual(await names(), [path.basename(made?.file ?? '')]);
});

/** Terminates the connection that holds the advisory lock on this forum's database. */
async function cutLockHolders({ services: { db } }: Forum): Promise<void> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())
  `.execute(db);
  assert.equal(rows.length, 1);
}

test('a backup and a sweep of images end when their lock is lost: no file counts as the backup, and no image is removed', async () => {
  await using forum = await Forum.start('postgres', { BACKUP_KEEP: '1' });
  await addCover(forum, 1000);
  const { config, db, images } = forum.services;
  const started: Promise<void>[] = [];
  const locking = db.transaction().execute(async (trx) => {
    await sql`lock table images in access exclusive mode`.execute(trx);
    started.push(assert.rejects(makeDailyBackup(config, Date.now()), LockLost));
    await eventually('the backup waits for the table', async () => {
      const { rows } = await sql`
        select from pg_locks where relation = 'images'::regclass and not granted
      `.execute(trx);
      return rows.length === 1;
    });
    await cutLockHolders(forum);
  });
  await locking.finally(() => Promise.allSettled(started));
  await Promise.all(started);
  assert.ok(await isBackupDue(forum.services, Date.now()));
  assert.deepEqual(await readdir(backupFolder(config)), []);
  assert.ok(await makeDailyBackup(config, Date.now()), 'the next backup gets the lock');

  await db.updateTable('channels').set({ cover: '/files/images/other.png' }).execute();
  const later = { ...forum.services, now: () => Date.now() + 2 * dayMs };
  const sweeping = tryWithLock(later, async (confirmLock) => {
    await cutLockHolders(forum);
    return sweepImages(later, confirmLock);
  });
  await assert.rejects(sweeping, LockLost);
  assert.equal((await Array.fromAsync(images.list())).length, 4);
  await tryWithLock(later, (confirmLock) => sweepImages(later, confirmLock));
  assert.deepEqual(await Array.fromAsync(images.list()), []);
});

test('the server makes its daily backup in another process, and logs when that failed or is incomplete', async () => {
  const log = new PassThrough();
  let logged = '';
  log.on('data', (chunk) => {
    logged += chunk;
  });
  await using forum = await Forum.start('sqlite', { BACKUP_KEEP: '1', LOG_LEVEL: 'info' }, {}, log);
  await addCover(forum, 1000);
  const { dataDir } = forum.services.config;
  await rm(path.join(dataDir, 'images'), { recursive: true });
  const { env } = process;
  try {
    // The other process reads its settings from the environment.
    process.env = { ...env, BACKUP_KEEP: '1', TERTULIA_ENV_FILE: '/dev/null' };
    process.env.DATA_DIR = path.join(dataDir, 'nowhere');
    await backUpDaily(forum.services, forum.app.log);
    assert.match(logged, /"level":50.*does not exist.*"backup failed; it is repeated/);
    process.env.DATA_DIR = dataDir;
    await backUpDaily(forum.services, forum.app.log);
    assert.match(logged, /"level":50.*"backup is incomplete: 4 files of images in use are missing/);
  } finally {
    process.env = env;
  }
  const [made, ...others] = await dailyBackups(forum.services);
  assert.deepEqual([made?.lost, others], [4, []]);
});
