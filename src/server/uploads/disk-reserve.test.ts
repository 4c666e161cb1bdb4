import assert from 'node:assert/strict';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { ApiError } from '../http/api-error.ts';
import { requireDiskSpace } from './disk-reserve.ts';

test('an upload is refused when it would use up the reserve of the disk, and accepted below that', async () => {
  const { bsize, bavail, blocks } = await statfs(tmpdir());
  const reserved = Math.min(500e6, blocks * bsize * 0.05);
  const room = bavail * bsize - reserved;
  // Other programs write to the same disk, hence the margin.
  const margin = Math.min(100e6, room / 2);
  await requireDiskSpace(tmpdir(), room - margin);
  await assert.rejects(
    requireDiskSpace(tmpdir(), room + margin),
    (error) => error instanceof ApiError && error.code === 'storage_full',
  );
});
