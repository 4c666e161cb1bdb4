import assert from 'node:assert/strict';
import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { usableBytes } from '../../system/disk-reserve.ts';
import { OperatorError } from '../../system/operator-error.ts';
import { requireSpace } from './require-space.ts';

test('a task that needs more space than the disk has is refused with both figures', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-space-'));
  await requireSpace(path.join(folder.path, 'backups'), 0, 'The backup');
  await assert.rejects(requireSpace(folder.path, 2e18, 'The backup'), (error) => {
    assert.ok(error instanceof OperatorError);
    assert.match(error.message, /^The backup needs 2000000000000 MB on the disk of .*, and \d+ MB/);
    return true;
  });
  assert.deepEqual(await readdir(folder.path), ['backups']);
});

test('the figures of a refusal differ when the disk lacks less than a megabyte', async () => {
  for (let bytes = 100_000; bytes < 1_000_000; bytes += 100_000) {
    const needed = (await usableBytes(tmpdir())) + bytes;
    const message = await requireSpace(tmpdir(), needed, 'A backup').then(
      // Other programs may have freed space in between, so use the numbers from the message.
      () => 'needs 1 MB and 0 MB',
      ({ message }: Error) => message,
    );
    const [more, less] = Array.from(message.matchAll(/(\d+) MB/g), ([, number]) => Number(number));
    assert.ok(more !== undefined && less !== undefined && more > less, message);
  }
});
