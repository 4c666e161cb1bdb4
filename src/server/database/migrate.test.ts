import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, Forum } from '../../../test/forum.ts';
import { migrate } from './migrate.ts';

for (const engine of engines) {
  test(`migrations run once (${engine})`, async () => {
    const forum = await Forum.start(engine);
    try {
      assert.deepEqual(await migrate(forum.deps.db), []);
    } finally {
      await forum.stop();
    }
  });
}
