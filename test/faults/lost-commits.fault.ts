import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { eventually } from '../eventually.ts';
import { Forum, type Person } from '../forum/forum.ts';
import { expectIndexed } from '../forum/index-contents.ts';
import { LiveFollower } from '../forum/live-follower.ts';
import { KeyedWriters } from '../load/keyed-writers.ts';
import { CommitProxy } from '../postgres/commit-proxy.ts';
import { OwnPostgres } from '../postgres/own-postgres.ts';

/** Number of comments written to each of the two processes. */
const comments = 300;

describe('two processes on one PostgreSQL', () => {
  let postgres: OwnPostgres;
  let far: Forum;
  let near: Forum;
  let proxy: CommitProxy;
  let author: Person;
  let channel: Channel;
  before(async () => {
    postgres = await OwnPostgres.start();
    far = await Forum.start('postgres', { DATABASE_URL: postgres.url });
    proxy = await CommitProxy.start(postgres.url);
    near = await Forum.start('postgres', { ...far.dataSettings, DATABASE_URL: proxy.url });
    author = await far.person();
  });
  after(async () => {
    await near?.stop();
    await proxy?.stop();
    await far?.stop();
    await postgres?.remove();
  });

  /**
   * Writes to both, each comment with an idempotency key and repeated until it is acknowledged. Checks that
   * each is stored once, delivered once to every reader, and counted by both processes.
   * @returns the number of repeated requests
   */
  async function write(trouble: (writers: KeyedWriters[]) => Promise<void>): Promise<number> {
    channel = await far.channel(author);
    const readers = await Promise.all(
      [near, far].map((forum) => LiveFollower.start(forum, channel._id)),
    );
    const other = await far.person();
    const writers = [
      new KeyedWriters(near, author, channel._id, comments),
      new KeyedWriters(far, other, channel._id, comments),
    ];
    try {
      await trouble(writers);
      await Promise.all(writers.map(({ done }) => done));
      const stored = await far.allComments(channel._id);
      const ids = stored.map(({ id }) => id);
      assert.equal(stored.length, writers.length * comments);
      assert.deepEqual(
        writers.flatMap(({ acknowledged }) => [...acknowledged.values()]).sort(),
        ids.toSorted(),
      );
      for (const forum of [near, far]) {
        await eventually('the channel counts all comments', async () => {
          const shown = await forum.json<Channel>('GET', apiRoutes.channel(channel._id));
          return shown.commentCount === stored.length;
        });
      }
      await eventually('all comments are delivered', async () =>
        readers.every(({ seen }) => seen.length >= ids.length),
      );
      for (const { seen } of readers) assert.deepEqual(seen, ids);
      await expectIndexed(far.services.db);
    } finally {
      for (const writer of writers) writer.stop();
      for (const reader of readers) reader.stop();
    }
    return writers.reduce((sum, { retries }) => sum + retries, 0);
  }

  test('store and deliver each comment once when connections are cut before and after commits, or stall', async (t) => {
    const met = { cutBefore: 0, cutAfter: 0, stalled: 0 };
    const retries = await write(async () => {
      let turn = 0;
      proxy.decide = (sql) => {
        if (!sql.includes('insert into "comments"')) return undefined;
        turn += 1;
        if (turn % 10 === 3 && ++met.cutBefore) return 'commit lost';
        if (turn % 10 === 6 && ++met.cutAfter) return 'response lost';
        // 4 s exceeds the server's statement timeout.
        if (turn % 50 === 9 && ++met.stalled) return { stallMs: turn % 100 === 9 ? 500 : 4000 };
        return undefined;
      };
    });
    proxy.decide = () => undefined;
    t.diagnostic(`${JSON.stringify(met)}; ${retries} requests repeated`);
    for (const [fault, count] of Object.entries(met)) assert.ok(count > 0, fault);
  });

  test('store and deliver each comment once when commits wait for a synchronous standby that is down', async (t) => {
    const operator = new pg.Client(postgres.url);
    await operator.connect();
    const demand = async (standby: string) => {
      await operator.query(`alter system set synchronous_standby_names = '${standby}'`);
      await operator.query('select pg_reload_conf()');
    };
    const stuck = async () => {
      const { rowCount } = await operator.query(
        "select from pg_stat_activity where wait_event = 'SyncRep'",
      );
      return rowCount ?? 0;
    };
    try {
      const retries = await write(async (writers) => {
        await demand('nowhere');
        await eventually('a commit waits', async () => (await stuck()) > 0);
        await eventually('a writer gets 503', async () =>
          writers.some(({ refused }) => refused.has(503)),
        );
        t.diagnostic(`${await stuck()} commits waited`);
        await demand('');
      });
      t.diagnostic(`${retries} requests repeated`);
    } finally {
      await demand('');
      await operator.end();
    }
  });
});
