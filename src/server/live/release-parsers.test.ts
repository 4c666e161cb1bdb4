import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { Forum } from '../../../test/forum/forum.ts';
import { apiRoutes, pageRoutes } from '../../shared/routes.ts';

describe('a connection that is taken for a stream', () => {
  let forum: Forum;
  let channelId: string;
  let live: string;
  /** The server's side of each connection, by the caller's port. */
  const served = new Map<number | undefined, Socket & { parser?: unknown }>();
  before(async () => {
    forum = await Forum.start('sqlite');
    forum.app.server.on('connection', (socket) => served.set(socket.remotePort, socket));
    channelId = (await forum.channel(await forum.person()))._id;
    live = request('GET', apiRoutes.channelLive(channelId));
  });
  after(() => forum.stop());

  const request = (method: string, url: string, ...headers: string[]) =>
    `${[`${method} ${url} HTTP/1.1`, 'host: foro.example', ...headers].join('\r\n')}\r\n\r\n`;
  const page = () => request('GET', pageRoutes.home);

  async function open() {
    const socket = connect(Number(new URL(forum.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const port = socket.localPort;
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    return {
      socket,
      /** Sends something, and waits until a text has come that had not before. */
      async ask(text: string, answer: string) {
        const from = heard.length;
        socket.write(text);
        await eventually(answer, async () => heard.indexOf(answer, from) >= 0);
        return heard.slice(from);
      },
      heard: () => heard,
      closed: () => eventually('the connection closes', async () => socket.closed),
      server: () => {
        const other = served.get(port);
        assert.ok(other);
        return other;
      },
    };
  }
  const tell = async (text: string) => forum.comment(await forum.person(), channelId, text);

  /** Nothing but comments comes, until the reader has enough. */
  async function streams({ heard, server, socket }: Awaited<ReturnType<typeof open>>) {
    await tell('hola');
    await eventually('the comment comes', async () => heard().includes('"hola"'));
    assert.ok(!heard().includes('<html'));
    socket.end();
    await eventually('the server lets go', async () => server().destroyed);
  }

  test('holds no parser, also where other requests came before', async () => {
    const reader = await open();
    await reader.ask(page(), '</html>');
    assert.ok(reader.server().parser);
    await reader.ask(live, 'retry: ');
    assert.ok(!reader.server().parser);
    await tell('hola');
    await eventually('the comment comes', async () => reader.heard().includes('"hola"'));
    reader.socket.destroy();
  });

  test('ends when its reader ends it, closes it or breaks it off', async () => {
    for (const leave of [
      (socket: Socket) => socket.end(),
      (socket: Socket) => socket.destroy(),
      (socket: Socket) => socket.resetAndDestroy(),
    ]) {
      const reader = await open();
      await reader.ask(live, 'retry: ');
      leave(reader.socket);
      await eventually('the server lets go', async () => reader.server().destroyed);
    }
    await tell('nobody is there');
  });

  test('heeds nothing more that is sent on it', async () => {
    for (const more of [page(), 'x'.repeat(1_000_000)]) {
      const reader = await open();
      await reader.ask(live, 'retry: ');
      reader.socket.write(more);
      await streams(reader);
    }
  });

  test('streams too when more was sent with the request', async () => {
    const withBody = request('GET', apiRoutes.channelLive(channelId), 'content-length: 4');
    for (const [asked, parserStays] of [
      [`${live}${page()}`, true],
      [`${live}GET /half`, false],
      [`${withBody}body`, true],
    ] as const) {
      const reader = await open();
      await reader.ask(asked, 'retry: ');
      assert.equal(Boolean(reader.server().parser), parserStays);
      await streams(reader);
    }
  });

  test('is closed after a refusal', async () => {
    const reader = await open();
    const answer = await reader.ask(request('GET', apiRoutes.channelLive('nada')), '}');
    assert.match(answer, /^HTTP\/1.1 404 /);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    await reader.closed();
  });

  test('is no other: who asks for another protocol is answered in this one', async () => {
    const caller = await open();
    const upgrade = ['connection: upgrade', 'upgrade: websocket'];
    const answer = await caller.ask(request('GET', pageRoutes.home, ...upgrade), '</html>');
    assert.match(answer, /^HTTP\/1.1 200 /);
    await caller.ask(page(), '</html>');
    caller.socket.destroy();
    const reader = await open();
    await reader.ask(request('GET', apiRoutes.channelLive(channelId), ...upgrade), 'retry: ');
    reader.socket.destroy();
  });
});
