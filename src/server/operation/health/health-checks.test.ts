import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { FaultyBucket } from '../../../../test/bucket/faulty-bucket.ts';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { makeDailyBackup } from '../backups/daily-backup.ts';
import { checkAll } from './health-checks.ts';

test('concurrent calls of /readyz?all share one request to the bucket', async (t) => {
  const bucket = await FaultyBucket.start();
  t.after(() => bucket.stop());
  await using forum = await Forum.start('sqlite', bucket.env);
  const requests: string[] = [];
  bucket.onRequest = (action) => requests.push(action);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => forum.call('GET', '/readyz?all')),
  );
  for (const answer of answers) assert.equal(answer.status, 200);
  assert.equal(requests.length, 1);
});

test('/readyz?all responds 503 while the disk of the data folder is full, and recovers by itself', async () => {
  await using forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent' });
  const isWell = async () => (await forum.call('GET', '/readyz?all')).ok;
  // The disk is too full for the file that the next check writes.
  await symlink('/dev/full', path.join(forum.services.config.dataDir, 'ready-check'));
  const full = await forum.call('GET', '/readyz?all');
  assert.equal(full.headers.get('retry-after'), '5');
  const { errors } = await expectProblem(full, 503, 'unavailable');
  assert.deepEqual(
    errors?.map(({ field }) => field),
    ['disk'],
  );
  assert.equal((await forum.call('GET', '/readyz')).status, 200);
  await eventually('it is well', isWell);
});

test('a daily backup is missed two hours after the start, and when the last complete one is older than two days', async () => {
  let now = Date.now();
  await using forum = await Forum.start('sqlite', { BACKUP_KEEP: '1' }, { now: () => now });
  const faults = async () => (await checkAll(forum.services)).map(({ part }) => part);
  const hourMs = 3_600_000;
  assert.deepEqual(await faults(), []);
  now += 3 * hourMs;
  assert.deepEqual(await faults(), ['backup']);
  assert.ok(await makeDailyBackup(forum.services.config, Date.now()));
  now += 44 * hourMs;
  assert.deepEqual(await faults(), []);
  now += 2 * hourMs;
  assert.deepEqual(await faults(), ['backup']);
});
