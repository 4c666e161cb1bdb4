import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { limitConnections } from './connections.ts';

describe('connections', () => {
  let app: FastifyInstance;
  const sockets: Socket[] = [];
  before(async () => {
    app = fastify();
    limitConnections(app, { trustProxy: 0 });
    app.post('/', async () => 'ok');
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
  });

  async function open(text: string, localAddress = '127.0.0.1'): Promise<Socket> {
    const { port } = app.server.address() as AddressInfo;
    const socket = connect({ host: '127.0.0.1', port, localAddress }).on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }
  const answerOf = async (socket: Socket) => String((await once(socket, 'data'))[0]).slice(0, 12);

  test('from one address are limited to 600, and those from another are accepted', async () => {
    const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n';
    const many = await Promise.all(Array.from({ length: 600 }, () => open('', '127.0.0.2')));
    const refused = await open(request, '127.0.0.2');
    await new Promise((resolve) => refused.resume().once('close', resolve));
    assert.equal(await answerOf(await open(request, '127.0.0.3')), 'HTTP/1.1 200');
    assert.ok(many.every((socket) => !socket.destroyed));
  });
});
