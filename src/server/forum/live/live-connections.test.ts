import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { pageRoutes } from '../../../shared/routes.ts';

describe('the connection of a live stream', () => {
  let forum: Forum;
  let channelId: string;
  let live: string;
  /** The server's sockets, by the client's port. */
  const serverSockets = new Map<number | undefined, Socket>();
  before(async () => {
    forum = await Forum.start('sqlite');
    forum.app.server.on('connection', (socket) => serverSockets.set(socket.remotePort, socket));
    channelId = (await forum.channel(await forum.person()))._id;
    live = request(apiRoutes.channelLive(channelId));
  });
  after(() => forum.stop());

  const request = (url: string, ...headers: string[]) =>
    `${[`GET ${url} HTTP/1.1`, 'host: foro.example', ...headers].join('\r\n')}\r\n\r\n`;
  const upgrade = ['connection: upgrade', 'upgrade: websocket'];

  async function open() {
    const socket = connect(Number(new URL(forum.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const serverSocket = serverSockets.get(socket.localPort);
    assert.ok(serverSocket);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    const receives = (text: string) => eventually(text, async () => received.includes(text));
    return { socket, serverSocket, receives, received: () => received };
  }

  test('closes when the reader ends, closes or resets it', async () => {
    for (const leave of [
      (socket: Socket) => socket.end(),
      (socket: Socket) => socket.destroy(),
      (socket: Socket) => socket.resetAndDestroy(),
    ]) {
      const reader = await open();
      reader.socket.write(live);
      await reader.receives('retry: ');
      leave(reader.socket);
      await eventually('the server closes it', async () => reader.serverSocket.destroyed);
    }
  });

  test('carries only comments, even when another request follows on it', async () => {
    const reader = await open();
    reader.socket.write(live + request(pageRoutes.home));
    await reader.receives('retry: ');
    await forum.comment(await forum.person(), channelId, 'hola');
    await reader.receives('"hola"');
    assert.doesNotMatch(reader.received(), /<html/);
    reader.socket.destroy();
  });

  test('uses HTTP/1.1 even when the client asks to upgrade', async () => {
    for (const [url, expected] of [
      [pageRoutes.home, '</html>'],
      [apiRoutes.channelLive(channelId), 'retry: '],
    ] as const) {
      const client = await open();
      client.socket.write(request(url, ...upgrade));
      await client.receives(expected);
      assert.match(client.received(), /^HTTP\/1.1 200 /);
      client.socket.destroy();
    }
  });
});

test('a stream whose channel cannot be read ends, so that its reader comes back', async () => {
  await using forum = await Forum.start('sqlite', { LOG_LEVEL: 'silent' });
  const { _id: id } = await forum.channel(await forum.person());
  const reader = await LiveReader.open(forum, id);
  await forum.services.db.destroy();
  forum.services.live.publish({ kind: 'comment', channelId: id, number: 1 });
  await assert.rejects(reader.next(), /the stream ended/);
});
