import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { FaultyBucket } from '../../../test/bucket/faulty-bucket.ts';
import { eventually } from '../../../test/eventually.ts';
import { engines, expectProblem, Forum } from '../../../test/forum/forum.ts';

test('calls of /readyz at the same time share one request to the bucket', async (t) => {
  const bucket = await FaultyBucket.start();
  t.after(() => bucket.stop());
  await using forum = await Forum.start('sqlite', bucket.env);
  const requests: string[] = [];
  bucket.onRequest = (action) => requests.push(action);
  const answers = await Promise.all(Array.from({ length: 20 }, () => forum.call('GET', '/readyz')));
  for (const answer of answers) assert.equal(answer.status, 200);
  assert.equal(requests.length, 1);
});

for (const engine of engines) {
  test(`/readyz responds 503 while the disk of the data folder is full, and recovers by itself (${engine})`, async () => {
    await using forum = await Forum.start(engine, { LOG_LEVEL: 'silent' });
    const isReady = async () => (await forum.call('GET', '/readyz')).ok;
    // It is full for the file that the next check writes.
    await symlink('/dev/full', path.join(forum.deps.config.dataDir, 'ready-check'));
    const full = await forum.call('GET', '/readyz');
    assert.equal(full.headers.get('retry-after'), '5');
    await expectProblem(full, 503, 'unavailable');
    await eventually('it is ready', isReady);
  });
}
