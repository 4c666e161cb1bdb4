import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Forum } from '../../../../test/forum/forum.ts';
import { ForumClient } from '../../../../test/forum/forum-client.ts';
import { ServerProcess } from '../../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Comment } from '../../../shared/comments.ts';

const dies = pathToFileURL(
  path.join(import.meta.dirname, '../../../../test/processes/die-before-response.ts'),
);

// lost-commits.test.ts tests the same for every write, with PostgreSQL behind a proxy.
test('stores a comment once when the server is killed before it responds and the client retries', async () => {
  await using folder = await temporaryFolder('unanswered');
  const env = { DATA_DIR: folder.path };
  await using first = await ServerProcess.start({ ...env, NODE_OPTIONS: `--import=${dies}` });
  const forum = new ForumClient(first.url);
  const author = await forum.person();
  const channel = await forum.channel(author);
  const headers = { 'idempotency-key': randomUUID() };
  const send = ({ url }: { url: string }) =>
    new ForumClient(url).call('PUT', apiRoutes.comment, {
      token: author.token,
      headers,
      body: { id: channel._id, comment: 'una vez' },
    });
  await assert.rejects(send(first));
  await first.ended;

  await using second = await Forum.start('sqlite', env);
  const stored = await second.allComments(channel._id);
  assert.equal(stored.length, 1, 'it was committed');
  for (const response of [await send(second), await send(second)]) {
    assert.deepEqual((await response.json()) as Comment, stored[0]);
  }
  assert.deepEqual(await second.allComments(channel._id), stored);
});
