import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { CommitProxy } from '../../../test/commit-proxy.ts';
import { eventually } from '../../../test/eventually.ts';
import { expectProblem, Forum } from '../../../test/forum.ts';
import { LiveReader } from '../../../test/live-reader.ts';
import type { Channel } from '../../shared/channels.ts';
import { apiRoutes } from '../../shared/routes.ts';

describe('a process that does not learn that its COMMIT succeeded', () => {
  let other: Forum;
  let forum: Forum;
  let proxy: CommitProxy;
  before(async () => {
    other = await Forum.start('postgres');
    proxy = await CommitProxy.start(other.deps.config.databaseUrl ?? '');
    forum = await Forum.start('postgres', { ...other.place, DATABASE_URL: proxy.url });
    await eventually('it hears changes', async () => forum.deps.live.isListening);
  });
  after(async () => {
    await forum?.stop();
    await proxy?.stop();
    await other?.stop();
  });

  test('shows the comment to its readers without another change', async () => {
    const author = await forum.person();
    const channel = await forum.channel(author);
    const read = () => forum.json<Channel>('GET', apiRoutes.channel(channel._id));
    assert.equal((await read()).commentCount, 0);
    const reader = await LiveReader.open(forum, channel._id);
    const lost = proxy.next(/insert into "comments"/, 'answer lost');
    const send = () =>
      forum.call('PUT', apiRoutes.comment, {
        token: author.token,
        headers: { 'idempotency-key': key },
        body: { id: channel._id, comment: 'Sin respuesta' },
      });
    const key = randomUUID();
    await expectProblem(await send(), 503, 'unavailable');
    await lost;
    await eventually('it is counted', async () => (await read()).commentCount === 1);
    assert.equal((await reader.nextComment()).comment, 'Sin respuesta');
    reader.close();
  });
});
