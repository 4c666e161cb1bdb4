import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPostgresDatabase, Forum } from '../../../test/forum.ts';
import { dump, runMove } from '../../../test/mover.ts';
import { operate } from '../../../test/operator.ts';

test('what was hidden or deleted since the last move goes at the target, and nothing else may', async () => {
  const forum = await Forum.start('sqlite');
  const database = await createPostgresDatabase();
  try {
    const { config, db } = forum.deps;
    const target = { dataDir: '', databaseUrl: database.url };
    const move = () =>
      runMove({ DATA_DIR: config.dataDir }, ['--only', 'database', '--to-database', database.url]);
    const author = await forum.person();
    const [kept, gone] = [await forum.channel(author), await forum.channel(author)];
    const ids: string[] = [];
    for (const text of ['uno', 'dos', 'tres', 'cuatro']) {
      ids.push((await forum.comment(author, kept._id, text)).id);
      await forum.comment(author, gone._id, text);
    }
    assert.equal((await move()).code, 0);

    for (const id of ids.slice(0, 2)) await operate(forum, 'hide', id);
    await operate(forum, 'show', ids[0] ?? '');
    await operate(forum, 'delete', ids[2] ?? '');
    await operate(forum, 'delete', gone._id);
    await operate(forum, 'password', author.email);
    const again = await move();
    assert.equal(again.code, 0, again.said);
    const moved = await dump(target);
    assert.deepEqual(moved, await dump(config));
    assert.deepEqual([moved.comments?.length, moved.hidden_comments?.length], [2, 1]);

    // Gone without a note of it: as if it had been written at the target.
    await db.deleteFrom('comments').where('number', '=', 4).execute();
    const { code, said } = await move();
    assert.equal(code, 3, said);
    assert.match(said, /people have written there/);
  } finally {
    await forum.stop();
    await database.drop();
  }
});
