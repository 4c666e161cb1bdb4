import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { eventually } from '../../../../test/eventually.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { insertComments } from '../../../../test/forum/insert-comments.ts';
import { hideContent, showContent } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { News, ReadingPosition } from '../../../shared/people.ts';

onBothEngines('reading positions', (forum, _wait, engine) => {
  const read = ({ token }: Person, body: ReadingPosition | ReadingPosition[]) =>
    forum().json('PUT', apiRoutes.reads, { token, body });
  const news = ({ token }: Person, ids: string[]) =>
    forum().json<News>('GET', `${apiRoutes.news}?channels=${ids.join(',')}`, { token });
  /** Creates a channel with this many comments by its author. */
  const channelOf = async (author: Person, comments: number) => {
    const { _id } = await forum().channel(author);
    await insertComments(forum(), _id, author.id, comments);
    return _id;
  };

  test('keep the highest number that two devices send at once, in any order', async () => {
    const author = await forum().person();
    const ids = await Promise.all([1, 2, 3].map(() => channelOf(author, 12)));
    const at = (channelIds: string[], number: number) =>
      channelIds.map((channelId) => ({ channelId, number }));
    const numbers = Array.from({ length: 12 }, (_, i) => i + 1);
    await Promise.all(
      numbers.flatMap((number) => [
        read(author, at(ids, number)),
        read(author, at(ids.toReversed(), 13 - number)),
      ]),
    );
    const { reads } = await news(author, ids);
    assert.deepEqual(
      ids.map((id) => reads[id]?.number),
      [12, 12, 12],
    );
  });

  test('come with author and beginning of the last visible comment where something is unread', async () => {
    const [author, other, reader] = [
      await forum().person('Ana'),
      await forum().person('Marga'),
      await forum().person(),
    ];
    const id = await channelOf(author, 1);
    await read(reader, { channelId: id, number: 1 });
    const last = async () => (await news(reader, [id])).reads[id]?.last;
    assert.equal(await last(), undefined);
    const mentions = [{ start: 19, length: 4, accountId: author.id }];
    const { number } = await forum().comment(other, id, 'Mañana no hay coro @Ana', { mentions });
    const first = { autor: 'Marga', excerpt: 'Mañana no hay coro @Ana' };
    assert.deepEqual(await last(), first);
    await forum().comment(author, id, `> Mañana no hay coro\nY el ${'jueves '.repeat(30)}`);
    const { autor, excerpt = '' } = (await last()) ?? {};
    assert.equal(autor, 'Ana');
    assert.match(excerpt, /^Y el jueves .*jueves…$/);
    assert.ok(excerpt.length <= 101);
    await hideContent(forum(), commentId(id, 3));
    assert.deepEqual(await last(), first);
    const removed = await forum().call('DELETE', apiRoutes.channelComment(id, number), other);
    assert.equal(removed.status, 204);
    assert.equal(await last(), undefined);
  });

  // SQLite has a single writing connection, so these cannot happen there.
  if (engine === 'postgres') {
    /** Another client of the database. */
    const connect = async () => {
      const client = new pg.Client(forum().services.config.databaseUrl);
      await client.connect();
      return {
        query: (text: string, values: string[] = []) => client.query(text, values),
        [Symbol.asyncDispose]: () => client.end(),
      };
    };
    const someoneWaits = () =>
      eventually('it waits for a lock', async () => {
        // Query on another connection, because the transaction sees only its own snapshot.
        const { rows } = await sql`
          select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
        `.execute(forum().services.db);
        return rows.length === 1;
      });
    const countOf = async (id: string) => {
      const { db } = forum().services;
      const rows = db.selectFrom('reading_positions').select('number').where('channel_id', '=', id);
      return (await rows.execute()).length;
    };

    test('are ignored when their channel is erased before they are written', async () => {
      const author = await forum().person();
      const [erased, other] = [await channelOf(author, 0), await channelOf(author, 0)];
      await using foreign = await connect();
      await foreign.query('begin');
      await foreign.query('lock table reading_positions in exclusive mode');
      const reading = read(
        author,
        [erased, other].map((channelId) => ({ channelId, number: 0 })),
      );
      await someoneWaits();
      await foreign.query('delete from channels where id = $1', [erased]);
      await foreign.query('commit');
      await reading;
      assert.deepEqual([await countOf(erased), await countOf(other)], [0, 1]);
    });

    test('are erased with their channel when they are written during the erasure', async () => {
      const author = await forum().person();
      const id = await channelOf(author, 0);
      await using foreign = await connect();
      await foreign.query('begin');
      await foreign.query('insert into reading_positions values ($1, $2, 0)', [author.id, id]);
      const erasing = operate(forum(), 'erase', id);
      await someoneWaits();
      await foreign.query('commit');
      await erasing;
      assert.equal(await countOf(id), 0);
      assert.equal((await forum().call('GET', apiRoutes.channel(id))).status, 404);
    });
    // The tests below do not depend on the engine.
    return;
  }

  test('ignore a smaller number, and treat one beyond the newest comment as the newest', async () => {
    const author = await forum().person();
    const id = await channelOf(author, 2);
    const position = async () => (await news(author, [id])).reads[id]?.number;
    await read(author, { channelId: id, number: 1e300 });
    assert.equal(await position(), 2);
    await read(author, { channelId: id, number: 1 });
    await forum().comment(author, id, 'Tres');
    assert.equal(await position(), 2);
    await read(author, [
      { channelId: id, number: 3 },
      { channelId: id, number: 0 },
    ]);
    assert.equal(await position(), 3);
  });

  test('come with the number of visible comments of others above them, in channels that were visited and are visible', async () => {
    const author = await forum().person();
    const reader = await forum().person();
    const visited = await channelOf(author, 3);
    const other = await channelOf(author, 3);
    const { newChannels, ...rest } = await news(reader, [visited, other]);
    assert.deepEqual(newChannels.toSorted(), [visited, other].toSorted());
    assert.deepEqual((await news(author, [visited])).newChannels, []);
    assert.deepEqual(rest, {
      follow: 'mine',
      role: 'member',
      unreadNotifications: 0,
      pendingModeration: 0,
      acknowledged: [],
      reads: {},
      reviewsNext: false,
      hasPending: false,
      hasHidden: false,
      restriction: null,
    });
    await read(reader, { channelId: visited, number: 1 });
    assert.deepEqual((await news(reader, [visited, other])).newChannels, [other]);
    const reads = async () => (await news(reader, [visited, other])).reads;
    const unread = async () => (await reads())[visited]?.unread;
    assert.partialDeepStrictEqual(await reads(), {
      [visited]: { number: 1, unread: 2, level: 'mine' },
    });
    await forum().comment(reader, visited, 'Mío');
    assert.equal(await unread(), 2);
    await forum().comment(author, visited, 'Otro');
    assert.equal(await unread(), 3);
    assert.deepEqual((await news(author, [visited])).reads, {});
    await hideContent(forum(), commentId(visited, 2));
    assert.equal(await unread(), 2);
    await hideContent(forum(), visited);
    assert.deepEqual(await reads(), {});
    await read(reader, { channelId: visited, number: 3 });
    await showContent(forum(), visited);
    assert.equal((await reads())[visited]?.number, 1);
  });

  test('are sent up to a hundred at once, and those in channels that do not exist are ignored', async () => {
    const author = await forum().person();
    const id = await channelOf(author, 1);
    const unknown = ['', 'nada', "' or 1=1", '\ud800', '00000000-0000-7000-8000-000000000000'];
    const ids = Array.from({ length: limits.readsPerRequest }, (_, i) => unknown[i] ?? id);
    for (const channelIds of [[], ['nada'], ids])
      await read(
        author,
        channelIds.map((channelId) => ({ channelId, number: 1 })),
      );
    const { reads } = await news(author, ['nada', '', "'", id]);
    assert.deepEqual(reads, { [id]: { number: 1, unread: 0, level: 'mine' } });
    const { token } = author;
    assert.deepEqual((await forum().json<News>('GET', apiRoutes.news, { token })).reads, {});
  });

  test('count up to one comment more than is shown', async () => {
    const author = await forum().person();
    const reader = await forum().person();
    const id = await channelOf(author, limits.unreadCount + 2);
    const unread = async () => (await news(reader, [id])).reads[id]?.unread;
    await read(reader, { channelId: id, number: 2 });
    assert.equal(await unread(), limits.unreadCount);
    for (let i = 0; i < 2; i++) {
      await forum().comment(author, id, 'Uno más');
      assert.equal(await unread(), limits.unreadCount + 1);
    }
  });

  test('have no level in channels that do not exist', async () => {
    const { token } = await forum().person();
    for (const id of ['nada', '00000000-0000-7000-8000-000000000000']) {
      const body = { level: 'all' };
      const response = await forum().call('PUT', apiRoutes.level(id), { token, body });
      await expectProblem(response, 404, 'channel_not_found');
    }
  });
});
