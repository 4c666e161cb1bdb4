import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { fillChannels, fillComments, filled } from '../../../../test/forum/fill-forum.ts';
import { engines, Forum } from '../../../../test/forum/forum.ts';
import {
  complaintsOfSqlite,
  openWatchedDatabase,
  rowsReadByPostgres,
} from '../../../../test/forum/query-plans.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { CommentPage } from '../../../shared/comments.ts';
import { withQuery } from '../../../shared/routes.ts';
import { findNames } from '../../texts/mention-names.ts';
import { toStoredText } from '../../texts/stored-text.ts';

const filling = { accounts: 2000, channels: 100, comments: 5100, longest: 5000 };
const long = filled.channelId(0);
/** Numbers in the long channel that have no visible comment. */
const removed = [1, 2, 4001, 5000];
const id = (number: number) => commentId(long, number);

for (const engine of engines) {
  describe(`pages of comments (${engine})`, () => {
    let forum: Forum;
    let watched: ReturnType<typeof openWatchedDatabase>;
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

    const read = async (query: Record<string, string | number>) => {
      const url = withQuery(apiRoutes.channelComments(long), query);
      const page = await forum.json<CommentPage>('GET', url);
      return { ...page, numbers: page.data.map(({ number }) => number) };
    };
    const range = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
        (number) => !removed.includes(number),
      );
    /** Reads a page, and counts the rows of a table that the matching queries read. SQLite's plans show no rows. */
    async function rowsRead(
      table: string,
      queries: RegExp,
      query: Record<string, string | number>,
    ) {
      const { db, asked } = watched;
      asked.clear();
      const page = await read(query);
      const found = [...asked.values()].filter((one) => queries.test(one.sql));
      assert.ok(found.length > 0);
      let rows = 0;
      for (const one of found) {
        if (engine === 'sqlite') assert.deepEqual(await complaintsOfSqlite(db, one), []);
        else rows += (await rowsReadByPostgres(db, one))[table] ?? 0;
      }
      return { page, rows, queries: found.length };
    }

    test('a page reads no more comments than it shows', async () => {
      for (const query of [
        {},
        { around: 4000 },
        { before: id(0x7fffffff) },
        { after: id(4000) },
      ] as Record<string, string>[]) {
        const { page, rows, queries } = await rowsRead('comments', /comments/, {
          ...query,
          limit: 50,
        });
        // A page around a comment is read in two queries, and its two links in one each.
        assert.ok(queries <= 4, `${queries} queries`);
        // Finding the first and the last comment of the channel reads one more row each.
        assert.ok(rows <= page.data.length + 2, `${rows} rows`);
      }
    });

    test('reads the names of the last five of 2,000 thanks, and few rows for them', async () => {
      const thanks = Array.from({ length: 2000 }, (_, index) => ({
        channel_id: long,
        number: 3000,
        account_id: filled.accountId(index),
        // The last three have the same time.
        created_at_ms: Math.min(index, 1997),
      }));
      await forum.services.db.insertInto('comment_thanks').values(thanks).execute();
      const { page, rows } = await rowsRead('comment_thanks', /as "name0"/, {
        around: 3000,
        limit: 1,
      });
      const names = [1999, 1998, 1997, 1996, 1995].map((index) => `Vecina ${index}`);
      assert.deepEqual(page.data[0]?.thanks, { count: 2000, names });
      assert.ok(rows <= 15, `${rows} rows`);
    });

    test('finds the names of more accounts than one query can contain', async () => {
      const known = filled.accountId(7);
      const ids = [known, ...Array.from({ length: 70_000 }, (_, index) => `none-${index}`)];
      const texts = ids.map((accountId) => toStoredText('@', [{ start: 0, length: 1, accountId }]));
      assert.deepEqual([...(await findNames(forum.services.db, texts))], [[known, 'Vecina 7']]);
    });

    // The tests below do not depend on the engine.
    if (engine === 'postgres') return;

    test('gives the comments before or after one, oldest first, with links to the visible ones on both sides', async () => {
      for (const [query, first, last, previous, next] of [
        [{ before: id(4010), limit: 20 }, 3989, 4009, 3989, 4009],
        [{ after: id(4010), limit: 20 }, 4011, 4030, 4011, 4030],
        [{ before: id(5001), limit: 5 }, 4995, 4999, 4995, null],
        [{ before: id(0x7fffffff), limit: 5 }, 4995, 4999, 4995, null],
        [{ after: id(4997), limit: 3 }, 4998, 4999, 4998, null],
        [{ limit: 3 }, 3, 5, null, 5],
        [{ before: id(6), limit: 3 }, 3, 5, null, 5],
      ] as const) {
        const page = await read(query);
        const links = [previous, next].map((number) => number && id(number));
        const what = JSON.stringify(query);
        assert.deepEqual(page.numbers, range(first, last), what);
        assert.deepEqual([page.previous, page.next], links, what);
      }
    });

    test('an empty page links to the comments on its other side', async () => {
      const end = await read({ after: id(5000), limit: 3 });
      assert.deepEqual([end.numbers, end.next], [[], null]);
      assert.deepEqual((await read({ before: end.previous ?? '', limit: 1 })).numbers, [4999]);
      const start = await read({ before: id(3), limit: 3 });
      assert.deepEqual([start.numbers, start.previous], [[], null]);
      assert.deepEqual((await read({ after: start.next ?? '', limit: 1 })).numbers, [3]);
    });

    test('gives half of a page, or at least ten comments, before a number, and the rest from it on', async () => {
      for (const [around, limit, first, last] of [
        // From twenty comments on, all numbers of a group of ten give the same page.
        [4000, 50, 3975, 4025],
        [4001, 50, 3975, 4025],
        [4009, 50, 3975, 4025],
        [310, 20, 300, 319],
        [319, 20, 300, 319],
        [300, 14, 290, 303],
        [307, 19, 297, 315],
        [307, 12, 297, 308],
        [307, 4, 304, 307],
        [307, 1, 307, 307],
        [1, 20, 3, 22],
        [12, 20, 3, 22],
        [0x7fffffff, 20, 4990, 4999],
      ] as const) {
        const { numbers } = await read({ around, limit });
        assert.deepEqual(numbers, range(first, last), `${limit} around ${around}`);
      }
    });

    test('one cached response serves all ten numbers of a group', async () => {
      await read({ around: 2000, limit: 50 });
      watched.asked.clear();
      for (const around of [2000, 2003, 2009]) await read({ around, limit: 50 });
      assert.equal(watched.asked.size, 0, 'asks the database nothing');
    });
  });
}
