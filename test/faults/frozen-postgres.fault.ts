import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { timeoutsMs } from '../../src/server/database/postgres/postgres-pool.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../src/shared/channels.ts';
import { eventually } from '../eventually.ts';
import { expectProblem, Forum, type Person, realTimeoutsMs } from '../forum/forum.ts';
import { LiveFollower } from '../forum/live-follower.ts';
import { OwnPostgres } from '../postgres/own-postgres.ts';

/** Several times as long as any time limit of a query or a connection. */
const frozenMs = 20_000;
/** Maximum time until an error response, and until recovery. */
const withinMs = 5000;

describe('two servers on a PostgreSQL that accepts connections and does not respond', () => {
  let postgres: OwnPostgres;
  let forum: Forum;
  let other: Forum;
  let author: Person;
  let channel: Channel;
  before(async () => {
    Object.assign(timeoutsMs, realTimeoutsMs);
    postgres = await OwnPostgres.start();
    forum = await Forum.start('postgres', {
      DATABASE_URL: postgres.url,
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'on',
      TRUST_PROXY: '1',
    });
    other = await forum.another();
    author = await forum.person();
    channel = await forum.channel(author);
  });
  after(async () => {
    await other?.stop();
    await forum?.stop();
    await postgres?.remove();
  });

  test('respond with 503 within 5 s while it is frozen, and recover afterwards', async (t) => {
    using reader = await LiveFollower.start(other, channel._id);
    let longestMs = 0;
    let asked = 0;
    // Each from an address of its own: more than eight at once of one address wait for each other.
    const ask = async (method: string, url: string, options = {}) => {
      const startMs = Date.now();
      const headers = { 'x-forwarded-for': `198.51.100.${asked++ % 250}` };
      const response = await forum.call(method, url, { ...options, headers });
      longestMs = Math.max(longestMs, Date.now() - startMs);
      return response;
    };
    const everything = () => [
      ask('GET', '/readyz'),
      ask('GET', apiRoutes.channels),
      ask('POST', apiRoutes.signUp, {
        body: { name: 'Ana', email: 'ana@ejemplo.es', password: 'x', img: '/default-avatar.svg' },
      }),
      ...Array.from({ length: 20 }, () =>
        ask('PUT', apiRoutes.comment, {
          token: author.token,
          body: { id: channel._id, comment: 'no llega' },
        }),
      ),
    ];
    const expectHealthy = async () => {
      const startMs = Date.now();
      assert.equal((await forum.call('GET', '/healthz')).status, 200);
      assert.ok(Date.now() - startMs < 1000);
    };
    // Some requests are in the middle of their transaction when PostgreSQL freezes.
    const underWay = Promise.all(everything());
    const thaw = await postgres.freeze();
    try {
      for (const { status } of await underWay) assert.ok([200, 201, 503].includes(status));
      // The result of a readiness check from before the freeze may be used for up to 5 s.
      await eventually('it is not ready', async () => !(await forum.call('GET', '/readyz')).ok);
      const endMs = Date.now() + frozenMs;
      while (Date.now() < endMs) {
        const joins = Array.from({ length: 10 }, () =>
          ask('GET', apiRoutes.channelLive(channel._id)),
        );
        const [responses] = await Promise.all([
          Promise.all([...everything(), ...joins]),
          expectHealthy(),
        ]);
        for (const response of responses) await expectProblem(response, 503, 'unavailable');
      }
    } finally {
      await thaw();
    }
    const thawedMs = Date.now();
    t.diagnostic(`longest wait for a 503: ${longestMs} ms`);
    assert.ok(longestMs < withinMs, `${longestMs} ms`);
    await eventually(
      '/readyz responds with 200',
      async () => (await forum.call('GET', '/readyz')).ok,
      2 * withinMs,
    );
    t.diagnostic(`ready after ${Date.now() - thawedMs} ms`);

    const comment = await forum.comment(author, channel._id, 'de vuelta');
    // A request that got 503 may have been committed after the thaw, and is then delivered as well.
    await eventually(
      'the comment is delivered live',
      async () => reader.seen.includes(comment.id),
      2 * withinMs,
    );
    t.diagnostic(`live on the other process after ${Date.now() - thawedMs} ms`);
    assert.ok(Date.now() - thawedMs < 3 * withinMs);
    const { data } = await forum.json<ChannelPage>('GET', `${apiRoutes.channels}?comments=0`);
    assert.equal(data[0]?.commentCount, Number(comment.id.split('-').at(-1)));
  });
});
