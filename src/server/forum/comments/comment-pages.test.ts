import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { fillChannels, fillComments, filled } from '../../../../test/forum/fill-forum.ts';
import { engines, expectProblem, Forum } from '../../../../test/forum/forum.ts';
import {
  complaintsOfSqlite,
  openWatchedDatabase,
  rowsReadByPostgres,
} from '../../../../test/forum/query-plans.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { CommentPage } from '../../../shared/comments.ts';
import { withQuery } from '../../../shared/routes.ts';

const filling = { accounts: 100, channels: 100, comments: 5100, longest: 5000 };
const long = filled.channelId(0);
/** Numbers in the long channel that have no visible comment. */
const removed = [1, 2, 4001, 5000];

for (const engine of engines) {
  describe(`pages of comments (${engine})`, () => {
    let forum: Forum;
    let watched: ReturnType<typeof openWatchedDatabase> | undefined;
    before(async () => {
      forum = await Forum.start(engine, {}, (config) => {
        watched = openWatchedDatabase(config);
        return { db: watched.db };
      });
      const { db } = forum.services;
      await fillChannels(db, filling, { passwordHash: 'none', nowMs: Date.now() });
      await fillComments(db, filling, Date.now());
      await db
        .deleteFrom('comments')
        .where('channel_id', '=', long)
        .where('number', 'in', removed)
        .execute();
      await db
        .updateTable('channels')
        .set((eb) => ({ comment_count: eb('comment_count', '-', removed.length) }))
        .where('id', '=', long)
        .execute();
      if (engine === 'postgres') await sql`analyze`.execute(db);
    });
    after(() => forum?.stop());

    const url = (query: Record<string, string | number>) =>
      withQuery(apiRoutes.channelComments(long), query);
    const read = async (query: Record<string, string | number>) => {
      const page = await forum.json<CommentPage>('GET', url(query));
      return { ...page, numbers: page.data.map(({ number }) => number) };
    };
    const range = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
        (number) => !removed.includes(number),
      );
    const id = (number: number) => commentId(long, number);

    test('gives the comments before one, oldest first, with links to both sides', async () => {
      const page = await read({ before: id(4010), limit: 20 });
      assert.deepEqual(page.numbers, range(3989, 4009));
      assert.deepEqual([page.previous, page.next], [id(3989), id(4009)]);
    });

    test('gives the newest page before a number above the last one', async () => {
      for (const number of [5001, 0x7fffffff]) {
        const page = await read({ before: id(number), limit: 5 });
        assert.deepEqual(page.numbers, [4995, 4996, 4997, 4998, 4999]);
        assert.deepEqual([page.previous, page.next], [id(4995), null]);
      }
    });

    test('gives no link beyond the first and the last visible comment', async () => {
      const first = await read({ limit: 3 });
      assert.deepEqual([first.numbers, first.previous, first.next], [[3, 4, 5], null, id(5)]);
      const upToFirst = await read({ before: id(6), limit: 3 });
      assert.deepEqual([upToFirst.numbers, upToFirst.previous], [[3, 4, 5], null]);
      const last = await read({ after: id(4997), limit: 3 });
      assert.deepEqual([last.numbers, last.previous, last.next], [[4998, 4999], id(4998), null]);
    });

    test('an empty page links to the comments on its other side', async () => {
      const end = await read({ after: id(5000), limit: 3 });
      assert.deepEqual([end.numbers, end.next], [[], null]);
      assert.deepEqual((await read({ before: end.previous ?? '', limit: 1 })).numbers, [4999]);
      const start = await read({ before: id(3), limit: 3 });
      assert.deepEqual([start.numbers, start.previous], [[], null]);
      assert.deepEqual((await read({ after: start.next ?? '', limit: 1 })).numbers, [3]);
    });

    test('gives half of a page before the ten numbers that include the given one, and the rest from there on', async () => {
      const page = await read({ around: 4000, limit: 50 });
      assert.deepEqual(page.numbers, range(3975, 4025));
      assert.deepEqual([page.previous, page.next], [id(3975), id(4025)]);
      for (const around of [4001, 4007, 4009]) {
        assert.deepEqual((await read({ around, limit: 50 })).numbers, page.numbers);
      }
    });

    test('gives ten comments before a number even in a short page, and the number itself', async () => {
      assert.deepEqual((await read({ around: 300, limit: 14 })).numbers, range(290, 303));
      assert.deepEqual((await read({ around: 307, limit: 12 })).numbers, range(297, 308));
      assert.deepEqual((await read({ around: 307, limit: 4 })).numbers, range(304, 307));
      assert.deepEqual((await read({ around: 307, limit: 1 })).numbers, [307]);
    });

    test('gives the existing comments around the first number and around numbers beyond the last', async () => {
      assert.deepEqual((await read({ around: 1, limit: 20 })).numbers, range(3, 22));
      assert.deepEqual((await read({ around: 12, limit: 20 })).numbers, range(3, 22));
      assert.deepEqual((await read({ around: 0x7fffffff, limit: 20 })).numbers, range(4990, 4999));
    });

    test('rejects two of after, before and around together, and malformed numbers', async () => {
      for (const query of [
        { after: id(1), before: id(5) },
        { after: id(1), around: 5 },
        { before: id(1), around: 5 },
      ]) {
        const problem = await expectProblem(
          await forum.call('GET', url(query)),
          400,
          'invalid_request',
        );
        assert.deepEqual(
          problem.errors?.map(({ field }) => field),
          Object.keys(query),
        );
      }
      for (const around of ['x', '', '0', '-1', '2147483648', '1e400']) {
        const response = await forum.call('GET', url({ around }));
        await expectProblem(response, 400, 'invalid_request');
      }
      for (const before of [
        'x',
        '',
        `${long}-x`,
        `${long}-2147483648`,
        `${'0'.repeat(16)}.${id(1)}`,
      ]) {
        await expectProblem(await forum.call('GET', url({ before })), 400, 'invalid_cursor');
      }
      const unknown = withQuery(apiRoutes.channelComments('nada'), { around: 1 });
      await expectProblem(await forum.call('GET', unknown), 404, 'channel_not_found');
    });

    test('one cached response serves all ten numbers of a group', async () => {
      const before = watched?.asked;
      await read({ around: 2000, limit: 50 });
      before?.clear();
      for (const around of [2000, 2003, 2009]) await read({ around, limit: 50 });
      assert.equal(before?.size, 0, 'asks the database nothing');
    });

    for (const [position, query] of Object.entries({
      first: {},
      'in the middle': { around: 4000 },
      newest: { before: id(0x7fffffff) },
      after: { after: id(4000) },
    })) {
      test(`the page ${position} reads no more comments than it shows`, async () => {
        assert.ok(watched);
        const { db, asked } = watched;
        asked.clear();
        const page = await read({ ...query, limit: 50 });
        const queries = [...asked.values()].filter(({ sql }) => /comments/.test(sql));
        assert.ok(queries.length <= 3, queries.map((query) => query.sql).join('\n'));
        let rows = 0;
        for (const query of queries) {
          if (engine === 'sqlite') assert.deepEqual(await complaintsOfSqlite(db, query), []);
          else rows += (await rowsReadByPostgres(db, query)).comments ?? 0;
        }
        // Finding the first and the last comment of the channel reads one more row each.
        assert.ok(rows <= page.data.length + 2, `${rows} rows`);
      });
    }
  });
}
