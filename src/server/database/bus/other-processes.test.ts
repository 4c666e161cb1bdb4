import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../../test/eventually.ts';
import { editComment } from '../../../../test/forum/edit-comment.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';

describe('two servers on one PostgreSQL', () => {
  let first: Forum;
  let second: Forum;
  before(async () => {
    first = await Forum.start('postgres');
    second = await first.another();
    await eventually('both listen', async () => (await listeners()).length === 2);
  });
  after(async () => {
    await second?.stop();
    await first?.stop();
  });

  /** Returns the process ids of the connections that listen on this database. */
  async function listeners(): Promise<number[]> {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and application_name = 'tertulia live'
        and query in ('listen tertulia_changes', 'select 1')
    `.execute(first.services.db);
    return rows.map(({ pid }) => pid);
  }

  test('a comment and an edit on one server reach the readers of both, and nothing that is rolled back', async () => {
    const author = await first.person();
    const channel = await first.channel(author);
    const readers = await Promise.all(
      [first, second].map((forum) => LiveReader.open(forum, channel._id)),
    );
    const text = `Más largo que un aviso: ${'ñ'.repeat(9000)}`;
    await assert.rejects(
      first.services.db.transaction().execute(async (trx) => {
        const change = { kind: 'comment' as const, channelId: channel._id, number: 1 };
        await first.services.live.announce(trx, [change]);
        throw new Error('undone');
      }),
      /undone/,
    );
    const comment = await first.comment(author, channel._id, text);
    for (const reader of readers) assert.deepEqual(await reader.nextComment(), comment);
    await editComment(first, comment, 'dos');
    for (const reader of readers) {
      await reader.untilChanged({ numbers: [1] });
      reader.close();
    }
  });

  test('concurrent writes on both servers reach every reader once and in order', async () => {
    const author = await first.person();
    const channel = await first.channel(author);
    const forums = [first, second, first, second];
    const readers = await Promise.all(
      [...forums, ...forums].map((forum) => LiveReader.open(forum, channel._id)),
    );
    const count = 80;
    const writing = Promise.all(
      Array.from({ length: count }, (_, i) =>
        (i % 2 ? first : second).comment(author, channel._id, String(i)),
      ),
    );
    for (const reader of readers) {
      for (let number = 1; number <= count; number++) {
        assert.equal((await reader.nextComment()).id, commentId(channel._id, number));
      }
    }
    await writing;
    // One more comment shows that nothing else arrived before it.
    const last = await second.comment(author, channel._id, 'último');
    for (const reader of readers) {
      assert.deepEqual(await reader.nextComment(), last);
      reader.close();
    }
  });

  test('readers miss nothing when the listening connections are cut', async () => {
    const author = await first.person();
    const channel = await first.channel(author);
    const reader = await LiveReader.open(second, channel._id);
    const before = await listeners();
    // Cut near the end, so that no later notification reveals that some were missed.
    const writing = (async () => {
      for (let i = 1; i <= 40; i++) {
        await first.comment(author, channel._id, String(i));
        if (i === 38) {
          for (const pid of before) {
            await sql`select pg_terminate_backend(${pid}::int)`.execute(first.services.db);
          }
        }
      }
    })();
    for (let number = 1; number <= 40; number++) {
      assert.equal((await reader.nextComment()).id, commentId(channel._id, number));
    }
    await writing;
    await eventually('new connections listen', async () => {
      const now = await listeners();
      return now.length === 2 && now.every((pid) => !before.includes(pid));
    });
    const last = await first.comment(author, channel._id, 'otra vez al momento');
    assert.deepEqual(await reader.nextComment(), last);
    reader.close();
  });

  test('ignores malformed notifications of other database clients', async () => {
    const author = await first.person();
    const channel = await first.channel(author);
    const reader = await LiveReader.open(second, channel._id);
    const hostile = [
      '',
      '{}',
      'nada de nada',
      'nonce',
      'nonce 00000000-0000-4000-8000-000000000000',
      `nonce ${'x'.repeat(7900)}`,
      `comment ${channel._id}`,
      `comment ${channel._id} 999`,
    ];
    for (const payload of hostile) {
      await sql`select pg_notify('tertulia_changes', ${payload})`.execute(first.services.db);
    }
    const comment = await first.comment(author, channel._id, 'de verdad');
    assert.deepEqual(await reader.nextComment(), comment);
    reader.close();
  });

  test('a session ended on one server is invalid on the other', async () => {
    const person = await first.person();
    const me = () => second.call('GET', apiRoutes.me, { token: person.token });
    assert.equal((await me()).status, 200);
    await first.call('POST', apiRoutes.signOut, { token: person.token });
    await expectProblem(await me(), 401, 'not_signed_in');
  });
});
