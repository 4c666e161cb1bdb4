import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { ObjectNotFound } from '../../system/missing.ts';
import { DiskImageStore } from './disk-image-store.ts';

test('a written object can be read, and a failed write leaves no file', async () => {
  await using folder = await temporaryFolder('disk');
  const store = new DiskImageStore(path.join(folder.path, 'images'));
  await store.write('a.full', Buffer.from('bytes'));
  assert.equal(String(await buffer(await store.read('a.full'))), 'bytes');
  // A folder of that name makes the rename, the last step of a write, fail.
  await mkdir(path.join(folder.path, 'images', 'b.full'));
  await assert.rejects(store.write('b.full', Buffer.from('bytes')));
  assert.deepEqual((await readdir(path.join(folder.path, 'images'))).sort(), ['a.full', 'b.full']);
  const part = await store.readWhole('a.full', { start: 1, end: 3 });
  assert.equal(String(part), 'yte');
});

test('reading a missing object fails with ObjectNotFound', async () => {
  await using folder = await temporaryFolder('disk');
  const store = new DiskImageStore(folder.path);
  await assert.rejects(store.size('a.full'), ObjectNotFound);
  await assert.rejects(store.read('a.full'), ObjectNotFound);
  await assert.rejects(store.readWhole('a.full'), ObjectNotFound);
});
