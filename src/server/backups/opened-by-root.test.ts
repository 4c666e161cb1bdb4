import assert from 'node:assert/strict';
import { mkdtempDisposable, open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ArchiveWriter } from './archive-writer.ts';
import { openedByRoot } from './opened-by-root.ts';

test('of two backups into the same empty file that root opened, the second does not overwrite the first', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-opened-'));
  const file = path.join(folder.path, 'site.tar');
  await using first = await open(file, 'w+');
  await using second = await open(file, 'w+');
  try {
    openedByRoot.set(file, { handle: first, usableBytes: 0 });
    const archive = await ArchiveWriter.create(file);
    await archive.add('x', Buffer.from('x'));
    await archive.finish();
    const { size } = await stat(file);

    openedByRoot.set(file, { handle: second, usableBytes: 0 });
    await assert.rejects(ArchiveWriter.create(file), /site\.tar exists already/);
    assert.equal((await stat(file)).size, size);
  } finally {
    openedByRoot.clear();
  }
});

test('a backup is not written to an unfinished file that another user has made', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-part-'));
  const file = path.join(folder.path, 'site.tar');
  await using _planted = await open(`${file}.part`, 'w', 0o666);
  await assert.rejects(ArchiveWriter.create(file), { code: 'EEXIST' });
});
