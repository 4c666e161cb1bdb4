import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOnce } from './open-once.ts';

test('a failed opening is repeated by the next call, and a successful one is shared', async () => {
  let calls = 0;
  const open = openOnce(async () => {
    calls += 1;
    if (calls === 1) throw new Error('EMFILE: too many open files');
    return calls;
  });
  await assert.rejects(Promise.all([open(), open()]), /EMFILE/);
  assert.deepEqual([calls, await open(), await open()], [1, 2, 2]);
});
