import assert from 'node:assert/strict';
import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../operator-error.ts';
import { requireSpace } from './require-space.ts';

test('work that needs more than the disk has is refused, with how much is needed and usable', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-space-'));
  await requireSpace(path.join(folder.path, 'backups'), 0, 'The backup');
  await assert.rejects(requireSpace(folder.path, 2e18, 'The backup'), (error) => {
    assert.ok(error instanceof OperatorError);
    assert.match(error.message, /^The backup needs 2000000000000 MB on the disk of .*, and \d+ MB/);
    return true;
  });
  assert.deepEqual(await readdir(folder.path), ['backups']);
});
