import assert from 'node:assert/strict';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { DiskFull } from '../uploads/stores/errors.ts';
import { requireDiskSpace } from './disk-reserve.ts';

test('requireDiskSpace rejects an upload that would use up the reserve of the disk', async () => {
  const { bsize, bavail, blocks } = await statfs(tmpdir());
  const reserved = Math.min(500e6, blocks * bsize * 0.05);
  const room = bavail * bsize - reserved;
  // Other programs may write and free hundreds of megabytes on the same disk meanwhile.
  const margin = room / 2;
  await requireDiskSpace(tmpdir(), room - margin);
  await assert.rejects(requireDiskSpace(tmpdir(), room + margin), DiskFull);
});
