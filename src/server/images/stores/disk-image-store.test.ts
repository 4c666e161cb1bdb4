import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { ObjectNotFound } from '../../system/missing.ts';
import { DiskImageStore } from './disk-image-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tertulia-disk-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a written object can be read, and a failed write leaves no file', async () => {
  const store = new DiskImageStore(path.join(folder, 'images'));
  await store.write('a.full', Buffer.from('bytes'));
  assert.equal(String(await buffer(await store.read('a.full'))), 'bytes');
  // A folder of that name makes the rename, the last step of a write, fail.
  await mkdir(path.join(folder, 'images', 'b.full'));
  await assert.rejects(store.write('b.full', Buffer.from('bytes')));
  assert.deepEqual((await readdir(path.join(folder, 'images'))).sort(), ['a.full', 'b.full']);
});

test('reading a missing object fails with ObjectNotFound', async () => {
  const store = new DiskImageStore(folder);
  await assert.rejects(store.size('a.full'), ObjectNotFound);
  await assert.rejects(store.read('a.full'), ObjectNotFound);
  await assert.rejects(store.readWhole('a.full'), ObjectNotFound);
});

test('an upload gets no row when one of its variants cannot be stored', async () => {
  class FullDisk extends DiskImageStore {
    override async write(key: string, bytes: Buffer) {
      if (key.endsWith('card.jpg')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return super.write(key, bytes);
    }
  }
  await using forum = await Forum.start(
    'sqlite',
    { LOG_LEVEL: 'silent' },
    { images: new FullDisk(path.join(folder, 'images')) },
  );
  const bytes = await quarters(1000, 400).png().toBuffer();
  const response = await forum.upload(await forum.person(), bytes);
  assert.ok(response.status >= 500);
  assert.deepEqual(await forum.services.db.selectFrom('images').selectAll().execute(), []);
});
