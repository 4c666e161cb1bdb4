import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';
import { usableBytes } from '../../system/disk-reserve.ts';
import { DiskFull } from './upload-errors.ts';
import { makeRoom } from './upload-quota.ts';

test('an upload that would use up the reserve of the disk is refused', async () => {
  await using forum = await Forum.start('sqlite', { ACCOUNT_QUOTA_MB: '1000000' });
  const { id } = await forum.person();
  const room = await usableBytes(forum.services.config.dataDir);
  // Other programs may write or free hundreds of megabytes on the same disk during the test.
  const margin = room / 2;
  await makeRoom(forum.services, id, room - margin, room);
  await assert.rejects(makeRoom(forum.services, id, room + margin, room), DiskFull);
});
