import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { FaultyBucket } from '../../../../test/bucket/faulty-bucket.ts';
import { eventually } from '../../../../test/eventually.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';
import { ServerProcess, startsWithinMs } from '../../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { StoredFile } from '../../../shared/images.ts';
import { countLost } from '../../images/count-lost.ts';
import { StoreUnavailable } from '../../images/stores/errors.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { backupFolder, dailyName, isBackupDue } from './backup-folder.ts';
import { makeDailyBackup } from './daily-backup.ts';
import { readLastBackup } from './last-backup.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const dayMs = 86_400_000;
const noLock = async () => {};

/** A variant of one image and the full size of another. */
async function pickOfTwoImages({ services: { db } }: Forum): Promise<string[]> {
  const rows = await db.selectFrom('images').select('image_id').orderBy('image_id').execute();
  return rows.map(({ image_id }, index) => `${image_id}.${index === 0 ? '500.webp' : 'full'}`);
}

/** Adds a channel with a cover, which has four objects. */
async function addCover(forum: Forum, width: number): Promise<void> {
  const owner = await forum.person();
  const uploaded = await forum.upload(owner, await quarters(width, 400).png().toBuffer());
  const { downloadURL: cover } = (await uploaded.json()) as StoredFile;
  await forum.json('POST', apiRoutes.channels, {
    token: owner.token,
    body: { name: 'Cine', description: 'Películas', cover },
  });
}

test('daily backups that lack images in use are named incomplete and kept apart, as many as of complete ones', async () => {
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

test('the commands say in one line what a backup lacks, and fail; a restore takes it; the server logs an error', async () => {
  await using folder = await temporaryFolder('incomplete');
  const dataDir = path.join(folder.path, 'site');
  const env = { DATA_DIR: dataDir, RATE_LIMITS: 'off' };
  const forum = await Forum.start('sqlite', env);
  await addCover(forum, 1000).finally(() => forum.stop());
  await rm(path.join(dataDir, 'images'), { recursive: true });

  const lost = '4 files of images in use are missing or damaged, for example \\S+, \\S+, \\S+\\.$';
  const lacks = new RegExp(
    `^The backup in \\S+\\.incomplete-4\\.tar .* has 0 image files, and ${lost}`,
    'm',
  );
  const daily = await runCommand(env, 'backup', '--daily');
  assert.match(daily.said, lacks);
  assert.deepEqual([daily.code, daily.said.trim().split('\n').length], [1, 3]);
  const doctor = await runCommand(env, 'doctor');
  assert.equal(doctor.code, 1);
  assert.match(
    doctor.said,
    /^not ok +last backup +daily-\S+ is incomplete: tertulia backup --verify /m,
  );

  const made = await runCommand(env, 'backup', path.join(folder.path, 'made.tar'));
  assert.match(made.said, lacks);
  assert.deepEqual([made.code, await readdir(folder.path)], [1, ['made.incomplete-4.tar', 'site']]);
  const file = path.join(folder.path, 'made.incomplete-4.tar');
  const verified = await runCommand(env, 'backup', '--verify', file);
  assert.match(verified.said, lacks);
  assert.equal(verified.code, 1);
  const restored = await runCommand({ DATA_DIR: path.join(folder.path, 'to') }, 'restore', file);
  assert.match(restored.said, new RegExp(`^The backup is incomplete: ${lost}`, 'm'));
  assert.equal(restored.code, 0);
  assert.equal(restored.said.match(/^lost: \S+$/gm)?.length, 4);

  await rm(path.join(dataDir, 'backups'), { recursive: true });
  await using server = await ServerProcess.start({ ...env, BACKUP_KEEP: '1' });
  const logged = () =>
    server.logged(new RegExp(`^backup is incomplete: ${lost.replace('\\.$', '$')}`));
  await eventually('it is logged', async () => logged().length > 0, startsWithinMs);
  assert.equal(logged()[0]?.level, 50);
});

test('a restore names all files that its backup lacks, and the backups of the restored site are complete without them', async () => {
  await using folder = await temporaryFolder('lost');
  await using forum = await Forum.start('sqlite');
  for (const width of [1000, 1001]) await addCover(forum, width);
  const [missing = '', damaged = ''] = await pickOfTwoImages(forum);
  await rm(path.join(forum.services.config.dataDir, 'images', missing));
  await forum.services.images.write(damaged, Buffer.from('other'), 'image/png');
  const { file } = await makeBackup(forum.services, path.join(folder.path, 'site.tar'), noLock);

  const config = parseConfig({ DATA_DIR: path.join(folder.path, 'restored') });
  const lines: string[] = [];
  await restoreBackup(config, file, { print: (line) => lines.push(line) });
  assert.deepEqual(lines.sort(), [`lost: ${missing}`, `lost: ${damaged} (damaged)`].sort());
  await using restored = await Forum.start('sqlite', { DATA_DIR: config.dataDir });
  const again = await makeBackup(restored.services, path.join(folder.path, 'again.tar'), noLock);
  assert.equal(path.basename(again.file), 'again.tar');
  assert.equal((await countLost(restored.services.db, restored.services.images)).count, 0);

  // An image that the restored site loses later makes its backups incomplete.
  await addCover(restored, 1002);
  const row = await restored.services.db
    .selectFrom('images')
    .select('image_id')
    .where('width', '=', 1002)
    .executeTakeFirstOrThrow();
  await restored.services.images.remove(`${row.image_id}.500.webp`);
  const later = await makeBackup(restored.services, path.join(folder.path, 'later.tar'), noLock);
  assert.deepEqual(later.manifest.lost.examples, [`${row.image_id}.500.webp`]);
});

test('a file that cannot be read counts as missing; a bucket that does not work fails the backup', async () => {
  const bucket = await FaultyBucket.start();
  try {
    await using onDisk = await Forum.start('sqlite', { BACKUP_KEEP: '1' });
    await addCover(onDisk, 1000);
    const images = path.join(onDisk.services.config.dataDir, 'images');
    const [unreadable = ''] = await readdir(images);
    // Root may read every file.
    await rm(path.join(images, unreadable));
    await mkdir(path.join(images, unreadable));
    const made = await makeDailyBackup(onDisk.services.config, Date.now());
    assert.deepEqual(made?.lost, { count: 1, examples: [`${unreadable} (EISDIR)`] });
    assert.equal(made.images, 3);

    await using forum = await Forum.start('sqlite', { ...bucket.env, BACKUP_KEEP: '1' });
    await addCover(forum, 1000);
    const { config } = forum.services;
    const [key = ''] = bucket.objects.keys();
    bucket.affectedRequests = `GET ${key}`;
    bucket.behaviour = 'error';
    const lacking = await makeDailyBackup(config, Date.now());
    assert.deepEqual(lacking?.lost.examples, [`${path.basename(key)} (unreadable)`]);
    const later = () => makeDailyBackup(config, Date.now() + dayMs);
    bucket.affectedRequests = '';
    await assert.rejects(later(), StoreUnavailable);
    // The bucket lists its objects, more than ten, but fails to return any of them.
    bucket.behaviour = 'normal';
    for (const width of [1001, 1002]) await addCover(forum, width);
    bucket.affectedRequests = 'GET ';
    bucket.behaviour = 'error';
    await assert.rejects(later(), StoreUnavailable);
    assert.deepEqual(await readdir(backupFolder(config)), [path.basename(lacking.file)]);
  } finally {
    bucket.stop();
  }
});

test('only daily backups of this site that exist count, and none of another site is removed', async () => {
  await using forum = await Forum.start('sqlite', { BACKUP_KEEP: '1' });
  await using other = await Forum.start('sqlite', { BACKUP_KEEP: '1' });
  // The databases of tests are copies of one template.
  await other.services.db.updateTable('site').set({ identity: '0000000f' }).execute();
  const { config } = forum.services;
  const folder = backupFolder(config);
  const foreign = await makeDailyBackup(other.services.config, Date.now());
  assert.ok(foreign);
  const copy = path.join(folder, path.basename(foreign.file));
  await mkdir(folder, { recursive: true });
  await copyFile(foreign.file, copy);
  const verified = await runCommand(forum.dataSettings, 'backup', '--verify', copy);
  assert.equal(verified.code, 0, verified.said);
  const shown = async () => {
    const ready = await forum.json<{ lastBackup: string | null }>('GET', '/readyz?all');
    const { said } = await runCommand(forum.dataSettings, 'doctor');
    return [ready.lastBackup, /^.*last backup .*/m.exec(said)?.[0]];
  };
  const none = [null, 'not ok  last backup  there is no daily backup: set BACKUP_KEEP=7'];
  assert.deepEqual(await shown(), none);

  const made = await makeDailyBackup(config, Date.now());
  assert.ok(made);
  const name = path.basename(made.file);
  assert.deepEqual((await readdir(folder)).sort(), [path.basename(copy), name].sort());
  const [time, finding] = await shown();
  assert.ok(Date.parse(time ?? '') <= Date.parse(made.madeAt));
  assert.equal(finding, `ok      last backup  ${name}`);
  await rm(made.file);
  assert.deepEqual(await shown(), none);
});
