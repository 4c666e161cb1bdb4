import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { eventually } from '../../../../test/eventually.ts';
import { Forum, type Person } from '../../../../test/forum/forum.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

// SQLite has a single writing connection, so this cannot happen there.
describe('a reading position in a channel that is being erased (postgres)', () => {
  let forum: Forum;
  let author: Person;
  let foreign: pg.Client;
  before(async () => {
    forum = await Forum.start('postgres');
    author = await forum.person();
    foreign = new pg.Client(forum.services.config.databaseUrl);
    await foreign.connect();
  });
  after(async () => {
    await foreign?.end();
    await forum?.stop();
  });

  const someoneWaits = () =>
    eventually('it waits for a lock', async () => {
      // Query on another connection, because the transaction sees only its own snapshot.
      const { rows } = await sql`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `.execute(forum.services.db);
      return rows.length === 1;
    });
  const positions = async (id: string) =>
    (await foreign.query('select from reading_positions where channel_id = $1', [id])).rowCount;

  test('is ignored when the channel is erased before the position is written; others are stored', async () => {
    const erased = await forum.channel(author);
    const other = await forum.channel(author);
    await foreign.query('begin');
    await foreign.query('lock table reading_positions in exclusive mode');
    const answer = forum.call('PUT', apiRoutes.reads, {
      token: author.token,
      body: [erased, other].map(({ _id }) => ({ channelId: _id, number: 0 })),
    });
    await someoneWaits();
    await foreign.query('delete from channels where id = $1', [erased._id]);
    await foreign.query('commit');
    assert.equal((await answer).status, 204);
    assert.deepEqual([await positions(erased._id), await positions(other._id)], [0, 1]);
  });

  test('is erased with the channel when it is written meanwhile', async () => {
    const { _id } = await forum.channel(author);
    await foreign.query('begin');
    await foreign.query('insert into reading_positions values ($1, $2, 0)', [author.id, _id]);
    const erasing = operate(forum, 'erase', _id);
    await someoneWaits();
    await foreign.query('commit');
    await erasing;
    assert.equal(await positions(_id), 0);
    assert.equal((await forum.call('GET', apiRoutes.channel(_id))).status, 404);
  });
});
