import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { LiveReader } from '../../../test/forum/live-reader.ts';
import { OwnPostgres } from '../../../test/postgres/own-postgres.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Channel } from '../../shared/channels.ts';
import { pageRoutes } from '../../shared/routes.ts';

describe('a PostgreSQL outage', () => {
  let postgres: OwnPostgres;
  let first: Forum;
  let second: Forum;
  let author: Person;
  let channel: Channel;
  before(async () => {
    postgres = await OwnPostgres.start();
    first = await Forum.start('postgres', { DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' });
    second = await first.another();
    author = await first.person();
    channel = await first.channel(author);
  });
  after(async () => {
    await second?.stop();
    await first?.stop();
    await postgres?.remove();
  });

  test('requests fail with 503 until PostgreSQL is back, and no comment is lost or duplicated', async () => {
    const acknowledged: string[] = [];
    const refusals = new Set<number>();
    let writing = true;
    const write = async (name: string) => {
      for (let i = 0; writing; i++) {
        const text = `${name} ${i}`;
        const response = await first.call('PUT', apiRoutes.comment, {
          token: author.token,
          body: { id: channel._id, comment: text },
        });
        if (response.ok) acknowledged.push(text);
        else refusals.add(response.status);
      }
    };
    const writers = ['a', 'b', 'c', 'd'].map(write);
    const interrupt = async () => {
      await eventually('comments are written', async () => acknowledged.length > 50);
      await postgres.stop();

      for (const forum of [first, second]) {
        for (const url of [apiRoutes.channels, pageRoutes.home, '/readyz']) {
          const response = await forum.call('GET', url);
          assert.equal(response.headers.get('retry-after'), '5');
          await expectProblem(response, 503, 'unavailable');
        }
        const opened = await forum.call('GET', pageRoutes.home, {
          headers: { accept: 'text/html' },
        });
        assert.equal(opened.status, 503);
        assert.equal(opened.headers.get('retry-after'), '5');
        assert.match(await opened.text(), /<h1>No disponible<.*>Volver a intentarlo</s);
        assert.equal((await forum.call('GET', '/healthz')).status, 200);
        assert.equal((await forum.call('GET', pageRoutes.login)).status, 200);
      }
      const before = acknowledged.length;
      await postgres.startAgain();
      await eventually(
        'both are ready',
        async () =>
          (await first.call('GET', '/readyz')).ok && (await second.call('GET', '/readyz')).ok,
      );
      await eventually('comments are written', async () => acknowledged.length > before + 50);
    };
    const interrupted = interrupt().finally(() => {
      writing = false;
      return Promise.allSettled(writers);
    });
    await Promise.all([interrupted, ...writers]);
    assert.deepEqual([...refusals], [503]);

    const stored = (await first.allComments(channel._id)).map(({ comment }) => comment);
    assert.equal(new Set(stored).size, stored.length);
    assert.deepEqual(
      acknowledged.filter((text) => !stored.includes(text)),
      [],
    );
  });

  test('a live stream that stays open continues after the outage without missing a comment', async () => {
    const reader = await LiveReader.open(second, channel._id);
    const one = await first.comment(author, channel._id, 'antes');
    assert.deepEqual(await reader.nextComment(), one);
    await postgres.stop();
    await postgres.startAgain();
    await eventually('it is ready', async () => (await first.call('GET', '/readyz')).ok);
    const two = await first.comment(author, channel._id, 'después');
    assert.deepEqual(await reader.nextComment(), two);
    reader.close();
  });
});

test('requests that find no free PostgreSQL connection fail with 503, and later ones succeed', async () => {
  const room = ['max_connections=6', 'superuser_reserved_connections=0'];
  const postgres = await OwnPostgres.start(...room);
  const forum = await Forum.start('postgres', {
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'silent',
  });
  try {
    const ask = () => forum.call('GET', apiRoutes.channels);
    // While the table is locked, every request has a connection or waits for one.
    const locker = new pg.Client(postgres.url);
    await locker.connect();
    await locker.query('begin; lock table channels in access exclusive mode');
    const crowd = Array.from({ length: 60 }, ask);
    const first = await Promise.race(crowd);
    await locker.query('rollback');
    await locker.end();
    await expectProblem(first.clone(), 503, 'unavailable');
    for (const response of await Promise.all(crowd)) {
      if (response.status !== 200) await expectProblem(response.clone(), 503, 'unavailable');
    }
    await eventually('there is room again', async () => (await forum.call('GET', '/readyz')).ok);
    assert.equal((await ask()).status, 200);
  } finally {
    await forum.stop();
    await postgres.remove();
  }
});
