import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { insertComments } from '../../../../test/forum/insert-comments.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { hideContent } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { toStoredText } from '../../texts/stored-text.ts';
import { missedLimits } from './stream/channel-feeds.ts';

onEngine('sqlite', 'live comments', (forum) => {
  async function begun(...texts: string[]) {
    const author = await forum().person();
    const { _id: id } = await forum().channel(author);
    const write = (text: string, more = {}) => forum().comment(author, id, text, more);
    for (const text of texts) await write(text);
    return { author, id, write };
  }

  test('after a possible loss of changes, readers get the comments that were not announced and are told to refetch', async () => {
    const { author, id, write } = await begun('uno');
    const reader = await LiveReader.open(forum(), id);
    await insertComments(forum(), id, author.id, 1, () => ({ text: toStoredText('dos') }));
    forum().services.live.publishGap();
    const second = await reader.nextComment();
    assert.deepEqual([second.number, second.comment], [2, 'dos']);
    await reader.untilChanged({});
    const third = await write('tres');
    assert.deepEqual(await reader.nextComment(), third);
    reader.close();
  });

  test('a comment reaches all readers of its channel, after those that they missed, and none of another channel', async () => {
    const { author, id, write } = await begun('1', '2', '3');
    const other = await forum().channel(author);
    const fresh = await LiveReader.open(forum(), id);
    const returning = await LiveReader.open(forum(), id, 0, '1');
    await forum().comment(author, other._id, 'en otra parte');
    const comment = await write('Hola\n\na todos');
    assert.deepEqual(await fresh.nextComment(), comment);
    const texts = [];
    for (let i = 0; i < 3; i++) texts.push((await returning.nextComment()).comment);
    assert.deepEqual(texts, ['2', '3', comment.comment]);
    fresh.close();
    returning.close();
  });

  test('a reader that missed more than a hundred comments, or 64 kB with their other data, is told that something has changed, and then gets live comments', async () => {
    const { limit, bytes } = missedLimits;
    for (const [count, length] of [
      [limit + 1, 1],
      [limit - 1, Math.floor(bytes / limit)],
    ] as const) {
      const { author, id, write } = await begun();
      const text = toStoredText('x'.repeat(length));
      await insertComments(forum(), id, author.id, count, () => ({ text }));
      const reader = await LiveReader.open(forum(), id, 0);
      await reader.untilChanged({});
      assert.equal(reader.openedAt, String(count));
      const comment = await write('nuevo');
      assert.deepEqual(await reader.nextComment(), comment);
      reader.close();
    }
    const { author, id } = await begun();
    await insertComments(forum(), id, author.id, limit);
    const reader = await LiveReader.open(forum(), id, 0);
    assert.equal((await reader.nextComment()).number, 1);
    reader.close();
  });

  test('a stream starts at the newest comment for any invalid position', async () => {
    const { id, write } = await begun('antes');
    const positions = ['x', '-1', '1e1', '2', '99999999999', commentId(id, 0), '0&after=0'];
    const readers = await Promise.all([
      ...positions.map((after) => LiveReader.open(forum(), id, after)),
      ...positions.map((last) => LiveReader.open(forum(), id, 0, last)),
    ]);
    const comment = await write('después');
    for (const reader of readers) {
      assert.deepEqual(await reader.nextComment(), comment);
      reader.close();
    }
  });

  test('readers are told which comments were edited, removed and restored and that the channel was closed or hidden, but not about thanks', async () => {
    const { author, id, write } = await begun('uno', 'dos', 'tres');
    const { token } = author;
    const reader = await LiveReader.open(forum(), id);
    await forum().json('PUT', apiRoutes.thanks(id, 1), await forum().person());
    const reply = await write('sí', { replyTo: 1 });
    assert.deepEqual(JSON.parse((await reader.next()).data ?? ''), reply);
    await forum().edit(author, id, 1, 'uno-1');
    await reader.untilChanged({ numbers: [1] });
    await forum().json('DELETE', apiRoutes.channelComment(id, 2), { token });
    await reader.untilChanged({ numbers: [2] });
    await forum().json('POST', apiRoutes.restoreComment(id, 2), { token });
    await reader.untilChanged({ numbers: [2] });
    await hideContent(forum(), commentId(id, 3));
    await reader.untilChanged({ numbers: [3] });
    await forum().json('POST', apiRoutes.closeChannel(id), { token });
    await reader.untilChanged({});
    await hideContent(forum(), id);
    await reader.untilChanged({});
    reader.close();
    const hidden = await forum().call('GET', apiRoutes.channelLive(id));
    await expectProblem(hidden, 404, 'channel_not_found');
  });
});

test('the connection of a stream carries only comments, even after another request, and closes when its reader leaves', async () => {
  await using forum = await Forum.start('sqlite');
  /** The server's sockets, by the client's port. */
  const serverSockets = new Map<number | undefined, Socket>();
  forum.app.server.on('connection', (socket) => serverSockets.set(socket.remotePort, socket));
  const author = await forum.person();
  const { _id: id } = await forum.channel(author);
  const request = (url: string) => `GET ${url} HTTP/1.1\r\nhost: foro.example\r\n\r\n`;
  for (const leave of [
    (socket: Socket) => socket.end(),
    (socket: Socket) => socket.destroy(),
    (socket: Socket) => socket.resetAndDestroy(),
  ]) {
    const socket = connect(Number(new URL(forum.url).port), '127.0.0.1');
    await once(socket, 'connect');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write(request(apiRoutes.channelLive(id)) + request(pageRoutes.home));
    await eventually('the stream begins', async () => received.includes('retry: '));
    await forum.comment(author, id, 'hola');
    await eventually('the comment arrives', async () => received.includes('"hola"'));
    assert.doesNotMatch(received, /<html/);
    const serverSocket = serverSockets.get(socket.localPort) ?? assert.fail();
    leave(socket);
    await eventually('the server closes it', async () => serverSocket.destroyed);
  }
});

test('a stream whose channel cannot be read ends, so that its reader reconnects', async () => {
  await using forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent' });
  const { _id: id } = await forum.channel(await forum.person());
  const reader = await LiveReader.open(forum, id);
  await forum.closeDatabase();
  forum.services.live.publish({ kind: 'comment', channelId: id, number: 1 });
  await assert.rejects(reader.next(), /the stream ended/);
});
