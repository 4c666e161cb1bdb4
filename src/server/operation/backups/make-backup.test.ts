import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { FaultyBucket } from '../../../../test/bucket/faulty-bucket.ts';
import { addCover } from '../../../../test/forum/add-cover.ts';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { countLost } from '../../images/count-lost.ts';
import { StoreUnavailable } from '../../images/stores/errors.ts';
import { usableBytes } from '../../system/disk-reserve.ts';
import { OperatorError } from '../../system/operator-error.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { backUpSite } from './back-up-site.ts';
import { backupFolder } from './backup-folder.ts';
import { withSource } from './backup-source.ts';
import { makeBackup } from './make-backup.ts';
import { requireSpace } from './require-space.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';
import { writeBackup } from './write-backup.ts';

const noLock = async () => {};

test('a backup that fails leaves no file, and overwrites none', async () => {
  await using forum = await Forum.start('sqlite');
  await using folder = await temporaryFolder('make');
  await addCover(forum, 1000);
  const file = path.join(folder.path, 'site.tar');
  const readWhole = () => Promise.reject(new Error('the store is down'));
  const images = Object.assign(Object.create(forum.services.images), { readWhole });
  const { db } = forum.services;
  await assert.rejects(makeBackup({ db, images }, file, noLock), /the store is down/);
  assert.deepEqual(await readdir(folder.path), []);
  // Another user may have made the unfinished file, and could read it.
  await writeFile(`${file}.part`, 'planted');
  await assert.rejects(makeBackup(forum.services, file, noLock), { code: 'EEXIST' });
  await writeFile(file, 'mine');
  await assert.rejects(makeBackup(forum.services, file, noLock), /exists already/);
  assert.equal(await readFile(file, 'utf8'), 'mine');
});

for (const engine of engines) {
  test(`a backup has one state of the site, whatever is written meanwhile (${engine})`, async () => {
    await using forum = await Forum.start(engine);
    const author = await forum.person();
    const { _id } = await forum.channel(author);
    await forum.comment(author, _id, 'uno');
    let written = 0;
    const write = async (bytes: Buffer) => {
      // The comments are read after the channels, which count them.
      if (!bytes.includes('rows/channels.')) return;
      await forum.comment(author, _id, 'dos');
      written++;
    };
    const { tables } = await withSource(forum.services.config, (source) =>
      writeBackup(source, write, noLock),
    );
    assert.deepEqual([written, tables.comments?.count], [1, 1]);
  });
}

test('a backup removes the remains of killed backups, and no other file', async () => {
  await using forum = await Forum.start('sqlite');
  const folder = backupFolder(forum.services.config);
  await mkdir(folder, { recursive: true });
  const time = '2026-01-01T00-00-00-000Z';
  const others = [`before-998-long-${time}.tar.part`, 'mine.tar', 'mine.tar.part'];
  for (const name of [
    ...others,
    `tertulia-${time}.tar.part`,
    `daily-${time}.tar.part`,
    'made.tar.part',
  ])
    await writeFile(path.join(folder, name), '');
  await backUpSite(forum.services, path.join(folder, 'made.tar'), noLock);
  assert.deepEqual((await readdir(folder)).sort(), [...others, 'made.tar'].sort());
});

test('a backup without images in use is named incomplete and says which; the restored site knows that they are lost', async () => {
  await using folder = await temporaryFolder('lost');
  await using forum = await Forum.start('sqlite');
  for (const width of [1000, 1001]) await addCover(forum, width);
  const { db, images } = forum.services;
  const stored = await db.selectFrom('images').selectAll().orderBy('image_id').execute();
  const [first = '', second = ''] = stored.map(({ image_id }) => image_id);
  const unused = { url: 'x', full_path: 'x', path_key: 'x', image_id: 'x' };
  const copies = stored.slice(0, 1).map((row) => ({ ...row, ...unused }));
  await db.insertInto('images').values(copies).execute();
  await images.remove(`${first}.500.webp`);
  await images.write(`${second}.full`, Buffer.from('not it'), 'image/png');
  const named = path.join(folder.path, 'site.tar');
  const { file } = await makeBackup(forum.services, named, noLock);
  assert.equal(path.basename(file), 'site.incomplete-2.tar');
  const { images: count, lost } = await verifyBackup(file);
  const keys = [`${first}.500.webp`, `${second}.full (damaged)`].sort();
  assert.deepEqual([count, lost.count, lost.examples.toSorted()], [7, 2, keys]);
  const { examples } = await countLost(db, images);
  assert.deepEqual(examples.toSorted(), [`${first}.500.webp`, `${second} (damaged)`].sort());

  const config = parseConfig({ DATA_DIR: path.join(folder.path, 'restored') });
  const lines: string[] = [];
  await restoreBackup(config, file, { print: (line) => lines.push(line) });
  assert.deepEqual(lines.sort(), keys.map((key) => `lost: ${key}`).sort());
  await using restored = await Forum.start('sqlite', { DATA_DIR: config.dataDir });
  const again = await makeBackup(restored.services, path.join(folder.path, 'again.tar'), noLock);
  assert.equal(path.basename(again.file), 'again.tar');
  assert.equal((await countLost(restored.services.db, restored.services.images)).count, 0);

  // A smaller size that changed shows in the total size of the image alone.
  await addCover(restored, 1002);
  const added = restored.services.db.selectFrom('images').select('image_id');
  const { image_id } = await added.where('width', '=', 1002).executeTakeFirstOrThrow();
  await restored.services.images.write(`${image_id}.500.webp`, Buffer.from('x'), 'image/webp');
  const later = await makeBackup(restored.services, path.join(folder.path, 'later.tar'), noLock);
  assert.deepEqual(later.manifest.lost.examples, [`${image_id} (damaged)`]);
});

test('a file that cannot be read counts as lost; a bucket that does not work fails the backup', async () => {
  const bucket = await FaultyBucket.start();
  await using folder = await temporaryFolder('unreadable');
  let made = 0;
  const lostFrom = async ({ services }: Forum) => {
    const file = path.join(folder.path, `${++made}.tar`);
    return (await makeBackup(services, file, noLock)).manifest.lost.examples;
  };
  try {
    await using onDisk = await Forum.start('sqlite');
    await addCover(onDisk, 1000);
    const images = path.join(onDisk.services.config.dataDir, 'images');
    const [unreadable = ''] = await readdir(images);
    // Root may read every file.
    await rm(path.join(images, unreadable));
    await mkdir(path.join(images, unreadable));
    assert.deepEqual(await lostFrom(onDisk), [`${unreadable} (EISDIR)`]);

    await using forum = await Forum.start('sqlite', bucket.env);
    await addCover(forum, 1000);
    const [missing = '', key = ''] = bucket.objects.keys();
    bucket.objects.delete(missing);
    bucket.affectedRequests = `GET ${key}`;
    bucket.behaviour = 'error';
    const lost = [path.basename(missing), `${path.basename(key)} (unreadable)`];
    assert.deepEqual((await lostFrom(forum)).sort(), lost.sort());
    bucket.affectedRequests = '';
    await assert.rejects(lostFrom(forum), StoreUnavailable);
    // The bucket lists its objects, more than ten, but fails to return any of them.
    bucket.behaviour = 'normal';
    for (const width of [1001, 1002]) await addCover(forum, width);
    bucket.affectedRequests = 'GET ';
    bucket.behaviour = 'error';
    await assert.rejects(lostFrom(forum), StoreUnavailable);
    assert.deepEqual((await readdir(folder.path)).sort(), [
      '1.incomplete-1.tar',
      '2.incomplete-2.tar',
    ]);
  } finally {
    bucket.stop();
  }
});

test('a task that needs more space than the disk has is refused with both figures, which always differ', async () => {
  await using folder = await temporaryFolder('space');
  const backups = path.join(folder.path, 'backups');
  await requireSpace(backups, 0, 'The backup');
  assert.ok((await stat(backups)).isDirectory());
  await assert.rejects(requireSpace(backups, 2e18, 'The backup'), (error) => {
    assert.ok(error instanceof OperatorError);
    assert.match(error.message, /^The backup needs 2000000000000 MB on the disk of .*, and \d+ MB/);
    return true;
  });
  for (let bytes = 100_000; bytes < 1_000_000; bytes += 100_000) {
    const needed = (await usableBytes(tmpdir())) + bytes;
    const message = await requireSpace(tmpdir(), needed, 'A backup').then(
      // Other programs may have freed space in between.
      () => 'needs 1 MB and 0 MB',
      ({ message }: Error) => message,
    );
    const [more, less] = Array.from(message.matchAll(/(\d+) MB/g), ([, number]) => Number(number));
    assert.ok(more !== undefined && less !== undefined && more > less, message);
  }
});
