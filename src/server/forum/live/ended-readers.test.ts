import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { before, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../../../test/eventually.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

const hourMs = 3_600_000;

onEngine('postgres', 'streams of a community of members', (forum, wait) => {
  let url: string;
  before(async () => {
    const { _id } = await forum().channel(await forum().person());
    url = apiRoutes.channelLive(_id);
    await changeSettings(forum(), { readers: 'members', contact: 'ana@foro.example' });
  });

  /** A member's reading cookie, which belongs to the session. */
  async function cookieOf({ token }: Person): Promise<string> {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const answer = await forum().call('GET', apiRoutes.news, { token, headers });
    return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? assert.fail();
  }

  /** Follows the channel. `fetch` would end the request when a test lets an hour pass. */
  async function follow(cookie: string): Promise<IncomingMessage> {
    const sent = request(new URL(url, forum().url), { headers: { cookie } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  }

  /** @returns all that the server sends until it ends the stream */
  const untilEnd = async (stream: IncomingMessage) =>
    Buffer.concat(await stream.toArray()).toString();

  test('end after an hour, so that their readers show again that they may read', async (t) => {
    const cookie = await cookieOf(await forum().person());
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const stream = await follow(cookie);
    assert.equal(stream.statusCode, 200);
    t.mock.timers.tick(hourMs);
    t.mock.timers.reset();
    assert.match(await untilEnd(stream), /^event: opened$/m);
  });

  test('are not opened when the cookie has ended between the gate and the stream', async (t) => {
    const cookie = await cookieOf(await forum().person());
    const hasEnded = () => wait(14 * hourMs);
    const handlers = 'tracing:fastify.request.handler:start';
    subscribe(handlers, hasEnded);
    t.after(() => wait(-14 * hourMs));
    const { statusCode } = await follow(cookie);
    unsubscribe(handlers, hasEnded);
    assert.equal(statusCode, 401);
  });

  test('end at once when the reader signs out while they are opened', async (t) => {
    const person = await forum().person();
    const cookie = await cookieOf(person);
    const { databaseUrl } = forum().services.config;
    const foreign = new pg.Client(databaseUrl);
    await foreign.connect();
    t.after(() => foreign.end());
    await foreign.query('begin; lock table channels in access exclusive mode');
    const opening = follow(cookie);
    await eventually('the stream waits for the channel', async () => {
      const { rowCount } = await foreign.query(
        "select from pg_locks where relation = 'channels'::regclass and not granted",
      );
      return rowCount === 1;
    });
    await forum().json('POST', apiRoutes.signOut, { token: person.token });
    await foreign.query('rollback');
    assert.match(await untilEnd(await opening), /^event: opened$/m);
  });
});
