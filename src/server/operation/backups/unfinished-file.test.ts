import assert from 'node:assert/strict';
import { mkdtempDisposable, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';
import { makeBackup } from './make-backup.ts';

test('a backup is not written to an unfinished file that another user has made', async () => {
  await using forum = await Forum.start('sqlite');
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-part-'));
  const file = path.join(folder.path, 'site.tar');
  await using _planted = await open(`${file}.part`, 'w', 0o666);
  const making = makeBackup(forum.services, file, async () => {});
  await assert.rejects(making, { code: 'EEXIST' });
});
