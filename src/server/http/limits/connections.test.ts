import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { changeValues } from '../../../../test/change-values.ts';
import { eventually } from '../../../../test/eventually.ts';
import { body, handleEveryRequest } from '../every-request.ts';
import { limitConnections } from './connections.ts';

describe('connections', () => {
  changeValues(body, { ms: 100 });
  let app: FastifyInstance;
  const sockets: Socket[] = [];
  /** Ends the responses that are being made. */
  const ends: (() => void)[] = [];
  before(async () => {
    app = fastify();
    handleEveryRequest(app, { headers: {}, config: { corsOrigins: [] } });
    limitConnections(app, { trustProxy: 0 });
    app.post('/', async () => 'ok');
    const slow = async () => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return 'ok';
    };
    app.post('/slow', slow);
    app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null));
    app.post('/upload', { config: { moves: 'upload' } }, slow);
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
  const post = (url: string, type: string, sent: string, length: number) =>
    `POST ${url} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${sent}`;
  /** The status of the response, or nothing when the connection is closed without one. */
  const statusOf = (socket: Socket) =>
    new Promise<string>((resolve) => {
      socket.once('data', (bytes) => resolve(String(bytes).slice(9, 12)));
      socket.once('close', () => resolve(''));
    });

  test('an address may have 600, and those of another are accepted', async () => {
    const request = post('/', 'application/json', '{}', 2);
    const many: Awaited<ReturnType<typeof open>>[] = [];
    // All at once would be more than the system queues for a process that accepts them late.
    for (let i = 0; i < 600; i++) many.push(await open('', '127.0.0.2'));
    assert.equal(await statusOf(await open(request, '127.0.0.2')), '');
    assert.equal(await statusOf(await open(request, '127.0.0.3')), '200');
    assert.ok(many.every((socket) => !socket.destroyed));
  });

  test('one is closed when its body takes too long, unless that is an upload or complete', async () => {
    const others = [
      open(post('/slow', 'application/json', '{}', 2)),
      open(post('/upload', 'application/octet-stream', 'a', 100)),
    ].map(async (socket) => statusOf(await socket));
    await eventually('both have arrived', async () => ends.length === 2);
    // Its time begins last, and therefore ends last.
    const slow = await open(post('/', 'application/json', '{', 100));
    assert.equal(await statusOf(slow), '');
    for (const end of ends) end();
    assert.deepEqual(await Promise.all(others), ['200', '200']);
  });
});
