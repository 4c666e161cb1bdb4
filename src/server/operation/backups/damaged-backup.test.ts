import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { addCover } from '../../../../test/forum/add-cover.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { UnfitTarget } from '../../database/unfit-target.ts';
import { type Config, parseConfig } from '../../system/settings/config.ts';
import { readArchive } from './archive-reader.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { withSource } from './backup-source.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const noLock = async () => {};
const backUp = (config: Config, file: string) =>
  withSource(config, (source) => makeBackup(source, file, noLock));

interface ImageEntry {
  key: string;
  bytes: Buffer;
}

/** Adds images to an archive. @returns the lines of its list of images */
async function* addImages(archive: ArchiveWriter, images: ImageEntry[]) {
  for (const { key, bytes } of images) {
    await archive.add(`images/${key}`, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    yield [{ key, bytes: bytes.length, sha256, problem: null }];
  }
}

/** Writes a consistent backup of the same rows with different images. */
async function repack(from: string, to: string, change: (images: ImageEntry[]) => void) {
  const images: ImageEntry[] = [];
  await using handle = await open(to, 'w');
  const archive = new ArchiveWriter((bytes) => handle.writeFile(bytes));
  for await (const { name, bytes } of readArchive(from)) {
    if (name.startsWith('images/')) images.push({ key: name.slice('images/'.length), bytes });
    else if (name.startsWith('rows/')) await archive.add(name, bytes);
    else if (name === 'manifest.json') {
      change(images);
      const pictures = await archive.addList('pictures', addImages(archive, images));
      const manifest = { ...JSON.parse(bytes.toString()), pictures, images: images.length };
      await archive.add(name, Buffer.from(JSON.stringify(manifest)));
    }
  }
  await archive.finish();
}

describe('backups of a site on SQLite', () => {
  let forum: Forum;
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tertulia-backup-'));
    file = path.join(folder, 'backup.tar');
    forum = await Forum.start('sqlite');
    await addCover(forum, 1000);
    await backUp(forum.services.config, file);
  });
  after(async () => {
    await forum?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function problemsOf(bytes: Buffer): Promise<string> {
    const damaged = path.join(folder, 'damaged.tar');
    await writeFile(damaged, bytes);
    const found = await verifyBackup(damaged).then(
      () => assert.fail('the damaged backup passed verification'),
      (error: unknown) => error,
    );
    assert.ok(found instanceof DamagedBackup);
    const config = parseConfig({ DATA_DIR: path.join(folder, 'nothing here') });
    await assert.rejects(restoreBackup(config, damaged), DamagedBackup);
    await assert.rejects(stat(config.dataDir), { code: 'ENOENT' });
    return found.message;
  }

  test('fail verification after one flipped bit anywhere in the file', async () => {
    const bytes = await readFile(file);
    // A step of 509 bytes hits each block of 512 bytes at a different offset.
    for (let at = 0; at < bytes.length; at += 509) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await problemsOf(flipped);
    }
  });

  test('fail verification with the name of the image or table that was changed', async () => {
    const bytes = await readFile(file);
    for await (const { name, bytes: body } of readArchive(file)) {
      const flipped = Buffer.from(bytes);
      // A change in the middle of the manifest would hit the checksum of another part.
      const at = bytes.indexOf(body) + (name === 'manifest.json' ? 0 : body.length >> 1);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      const subject = /^(?:images\/|rows\/)?([\w-]+)/.exec(name)?.[1] ?? '';
      assert.ok((await problemsOf(flipped)).includes(subject), subject);
    }
  });

  test('fail verification with the names of an image that is missing and of one that is not listed', async () => {
    const repacked = path.join(folder, 'repacked.tar');
    await using handle = await open(repacked, 'w');
    const archive = new ArchiveWriter((bytes) => handle.writeFile(bytes));
    let omitted = '';
    for await (const { name, bytes } of readArchive(file)) {
      if (omitted === '' && name.startsWith('images/')) omitted = name.slice('images/'.length);
      else await archive.add(name, bytes);
      if (name === 'manifest.json') await archive.add('images/other.full', Buffer.from('x'));
    }
    await archive.finish();
    const problems = await problemsOf(await readFile(repacked));
    assert.ok(problems.includes(`the image ${omitted} is missing`), problems);
    assert.ok(problems.includes('other.full is not listed'), problems);
  });

  test('fail verification when the list of images lacks one that the rows refer to', async () => {
    const changed = path.join(folder, 'changed.tar');
    let omitted: string | undefined;
    await repack(file, changed, (images) => {
      omitted = images.shift()?.key;
      images.push({ key: 'unknown.full', bytes: Buffer.from('x') });
    });
    const problems = await problemsOf(await readFile(changed));
    assert.ok(problems.includes(`the rows refer to ${omitted}, which is not listed`), problems);
    assert.ok(problems.includes('no row refers to the image unknown.full'), problems);
  });

  test('are distinguished from a file of another kind, an empty file, a folder and a truncated backup', async () => {
    const other = path.join(folder, 'other.tar');
    const messageOf = (tested: string) =>
      verifyBackup(tested).then(
        () => assert.fail('it passed verification'),
        (error: Error) => error.message,
      );
    const none = `${other} is not a backup of tertulia, or its first bytes are damaged.`;
    await writeFile(other, 'a letter');
    assert.equal(await messageOf(other), none);
    await writeFile(other, Buffer.alloc(5000, 'a'));
    assert.equal(await messageOf(other), none);
    await writeFile(path.join(folder, 'letter.txt'), 'a letter');
    execFileSync('tar', ['-cf', other, '-C', folder, 'letter.txt']);
    assert.equal(await messageOf(other), none);
    await writeFile(other, '');
    assert.equal(await messageOf(other), `${other} is empty.`);
    assert.equal(await messageOf(folder), `${folder} is not a file.`);
    await writeFile(other, (await readFile(file)).subarray(0, -2000));
    assert.match(
      await messageOf(other),
      /^The backup is damaged:\n {2}- the file is damaged or truncated after /,
    );
  });

  test('fail verification wherever they were truncated', async () => {
    const { length } = await readFile(file);
    for (const at of [0, 100, 512, length >> 1, length - 1024, length - 1]) {
      const cut = path.join(folder, 'cut.tar');
      await writeFile(cut, await readFile(file));
      await truncate(cut, at);
      await assert.rejects(verifyBackup(cut), DamagedBackup);
    }
  });

  test('are not restored over an existing SQLite file or image', async () => {
    for (const name of ['tertulia.db', 'tertulia.db-wal', 'images/mine.full']) {
      const dataDir = path.join(folder, path.basename(name));
      const mine = path.join(dataDir, name);
      await mkdir(path.dirname(mine), { recursive: true });
      await writeFile(mine, 'mine');
      await assert.rejects(restoreBackup(parseConfig({ DATA_DIR: dataDir }), file), UnfitTarget);
      assert.equal(await readFile(mine, 'utf8'), 'mine');
    }
    assert.deepEqual(await readdir(path.join(folder, 'mine.full', 'images')), ['mine.full']);
  });

  /** Writes an archive with valid checksums in which the rows of accounts occur again after the images. */
  async function withAccountsTwice(): Promise<string> {
    const twice = path.join(folder, 'twice.tar');
    await using handle = await open(twice, 'w');
    const archive = new ArchiveWriter((bytes) => handle.writeFile(bytes));
    let accounts: Buffer = Buffer.alloc(0);
    for await (const { name, bytes } of readArchive(file)) {
      if (name === 'rows/accounts.000001.ndjson') accounts = bytes;
      if (name !== 'manifest.json') await archive.add(name, bytes);
      else {
        await archive.add('rows/accounts.000002.ndjson', accounts);
        const manifest: Manifest = JSON.parse(bytes.toString());
        const { count } = manifest.tables.accounts ?? assert.fail();
        const sha256 = createHash('sha256').update(accounts).update(accounts).digest('hex');
        manifest.tables.accounts = { count: 2 * count, sha256 };
        await archive.add(name, Buffer.from(JSON.stringify(manifest)));
      }
    }
    await archive.finish();
    return twice;
  }

  test('leave no database after a restore that fails halfway, but images that have to be deleted before the next restore', async () => {
    const config = parseConfig({ DATA_DIR: path.join(folder, 'restored') });
    await assert.rejects(restoreBackup(config, await withAccountsTwice()), /constraint failed/);
    const remaining = await readdir(config.dataDir, { recursive: true });
    const left = remaining.filter((name) => !name.startsWith('images/')).sort();
    assert.deepEqual(left, ['images', 'tertulia.lock']);
    await assert.rejects(restoreBackup(config, file), UnfitTarget);
    await rm(path.join(config.dataDir, 'images'), { recursive: true });
    await restoreBackup(config, file);
  });

  test('leave no file when they fail halfway', async () => {
    const half = path.join(folder, 'half.tar');
    const images = Object.assign(Object.create(forum.services.images), {
      read: () => Promise.reject(new Error('the store is down')),
    });
    await assert.rejects(
      makeBackup({ db: forum.services.db, images }, half, noLock),
      /the store is down/,
    );
    await assert.rejects(stat(half), { code: 'ENOENT' });
    await assert.rejects(stat(`${half}.part`), { code: 'ENOENT' });
    await writeFile(half, 'mine');
    await assert.rejects(makeBackup(forum.services, half, noLock), /exists already/);
    assert.equal(await readFile(half, 'utf8'), 'mine');
  });
});
