import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { changeValues } from '../../../../test/change-values.ts';
import { eventually } from '../../../../test/eventually.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { timeoutsMs } from '../postgres/postgres-pool.ts';

const crowd = 12;
changeValues(timeoutsMs, { lock: 300 });

describe('a row locked by a foreign transaction', () => {
  let forum: Forum;
  let author: Person;
  let others: Channel;
  let foreign: pg.Client;
  before(async () => {
    forum = await Forum.start('postgres');
    author = await forum.person();
    others = await forum.channel(author, 'Otro canal');
    foreign = new pg.Client(forum.services.config.databaseUrl);
    await foreign.connect();
  });
  after(async () => {
    await foreign?.end();
    await forum?.stop();
  });

  async function waiting(): Promise<number> {
    const { rowCount } = await foreign.query(`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `);
    return rowCount ?? 0;
  }

  /** Makes all calls at once, and adds comments to another channel until every call is answered. */
  async function whileCommentingElsewhere(calls: (() => Promise<Response>)[]): Promise<Response[]> {
    let isOver = false;
    const responses = Promise.all(calls.map((call) => call())).finally(() => {
      isOver = true;
    });
    await eventually('calls wait for the row', async () => isOver || (await waiting()) > 0);
    let elsewhere = 0;
    for (; !isOver; elsewhere++) await forum.comment(author, others._id, 'En otra parte');
    assert.ok(elsewhere > 0);
    return responses;
  }

  test('a locked channel does not block comments in other channels, and comments it rejected can be sent again', async () => {
    const channel = await forum.channel(author);
    const people = await Promise.all(Array.from({ length: crowd }, () => forum.person()));
    const comments = people.map(({ token }, i) => {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { id: channel._id, comment: `Comentario ${i}` };
      return () => forum.call('PUT', apiRoutes.comment, { token, headers, body });
    });
    await foreign.query('begin');
    await foreign.query('update channels set name = name where id = $1', [channel._id]);
    for (const response of await whileCommentingElsewhere(comments)) {
      assert.equal(response.headers.get('retry-after'), '5');
      await expectProblem(response, 503, 'unavailable');
    }
    await foreign.query('rollback');
    for (const send of comments) assert.equal((await send()).status, 200);
    assert.equal((await forum.allComments(channel._id)).length, crowd);
  });
});
