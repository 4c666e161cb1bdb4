import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPostgresDatabase, engines, Forum } from '../../../test/forum.ts';
import { openDatabase } from './database.ts';
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

test('four processes that start at once on an empty PostgreSQL migrate it once', async () => {
  const database = await createPostgresDatabase();
  const config = { databaseUrl: database.url, dataDir: '' };
  const processes = [1, 2, 3, 4].map(() => openDatabase(config, { patient: true }));
  try {
    const ran = await Promise.all(processes.map((db) => migrate(db)));
    const [did, ...others] = ran.toSorted((a, b) => b.length - a.length);
    assert.notDeepEqual(did, []);
    assert.deepEqual(others, [[], [], []]);
  } finally {
    await Promise.all(processes.map((db) => db.destroy()));
    await database.drop();
  }
});
