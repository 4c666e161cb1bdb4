import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../test/forum/forum.ts';
import { ForumClient } from '../../../test/forum/forum-client.ts';
import { LiveReader } from '../../../test/forum/live-reader.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { buildApp } from '../app.ts';

test('a closing server reports that it closes, serves requests during the lame-duck period, and then ends', async () => {
  const forum = await Forum.start('sqlite');
  const lameDuck = Promise.withResolvers<void>();
  const app = await buildApp(forum.services, { lameDuck: () => lameDuck.promise });
  const site = new ForumClient(await app.listen({ host: '127.0.0.1', port: 0 }));
  try {
    const author = await site.person();
    const channel = await site.channel(author);
    const closed = app.close();
    await eventually('it says so', async () => (await site.call('GET', '/readyz')).status === 503);
    for (const url of ['/readyz', '/healthz'])
      await expectProblem(await site.call('GET', url), 503, 'unavailable');

    const reader = await LiveReader.open(site, channel._id);
    const comment = await site.comment(author, channel._id, 'aún se puede');
    assert.deepEqual(await reader.nextComment(), comment);
    const answer = await site.call('GET', apiRoutes.channels);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('connection'), 'close');

    lameDuck.resolve();
    await assert.rejects(reader.next(), /the stream ended/);
    await closed;
    await assert.rejects(site.call('GET', '/healthz'), { message: 'fetch failed' });
  } finally {
    lameDuck.resolve();
    await app.close();
    await forum.stop();
  }
});
