import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { changeValues } from '../../../../test/change-values.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { sqliteFile } from '../../system/settings/data-dir.ts';
import { lockWaitMs } from '../sqlite/sqlite-driver.ts';

describe('an SQLite file that another program has locked', () => {
  let forum: Forum;
  let author: Person;
  let channel: Channel;
  let other: DatabaseSync;
  before(async () => {
    forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent' });
    author = await forum.person();
    channel = await forum.channel(author);
    other = new DatabaseSync(sqliteFile(forum.services.config.dataDir));
  });
  after(async () => {
    other?.close();
    await forum?.stop();
  });

  const write = (comment: string) =>
    forum.call('PUT', apiRoutes.comment, {
      token: author.token,
      body: { id: channel._id, comment },
    });
  const me = () => forum.call('GET', apiRoutes.me, { token: author.token });

  test('reads continue while the file is locked, with a session that cannot be extended, and waiting writes succeed when it is unlocked', async () => {
    const soon = { expires_at_ms: Date.now() + 60_000 };
    await forum.services.db.updateTable('sessions').set(soon).execute();
    other.exec('begin immediate');
    const outcomes: string[] = [];
    const writing = [
      write('esperó').then(({ status }) => outcomes.push(`comment ${status}`)),
      forum.signIn(author.email, author.password).then(({ status }) => {
        outcomes.push(`session ${status}`);
      }),
    ];
    for (let i = 0; i < 20; i++) assert.equal((await me()).status, 200);
    assert.deepEqual(outcomes, []);
    other.exec('rollback');
    await Promise.all(writing);
    assert.deepEqual(outcomes.sort(), ['comment 200', 'session 200']);
  });

  test('writes fail with 503 while the file stays locked, and are not applied later', async () => {
    changeValues(lockWaitMs, { longest: 300 });
    other.exec('begin immediate');
    const crowd = [...Array.from({ length: 40 }, (_, i) => write(`no llegó ${i}`))];
    crowd.push(forum.signIn(author.email, author.password));
    for (const response of await Promise.all(crowd)) {
      assert.equal(response.headers.get('retry-after'), '5');
      await expectProblem(response, 503, 'unavailable');
    }
    other.exec('rollback');
    const { id } = await forum.comment(author, channel._id, 'después');
    const comments = await forum.allComments(channel._id);
    assert.deepEqual(
      comments.map(({ comment }) => comment),
      ['esperó', 'después'],
    );
    assert.equal(id, `${channel._id}-2`);
  });
});
