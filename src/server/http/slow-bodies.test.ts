import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { changeValues } from '../../../test/change-values.ts';
import { body, handleEveryRequest } from './every-request.ts';

describe('bodies', () => {
  changeValues(body, { ms: 100 });
  let app: FastifyInstance;
  const sockets: Socket[] = [];
  before(async () => {
    app = fastify();
    const sendNotFound = async () => {};
    handleEveryRequest(app, { headers: {}, config: { corsOrigins: [] }, sendNotFound });
    app.post('/', async () => 'ok');
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 4 * body.ms));
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
  const answerOf = async (socket: Socket) => String((await once(socket, 'data'))[0]).slice(0, 12);

  test('a body that takes too long closes its connection', async () => {
    const socket = await open(post('/', 'application/json', '{', 100));
    await once(socket.resume(), 'close');
  });

  test('may arrive long before the response is ready', async () => {
    const socket = await open(post('/slow', 'application/json', '{}', 2));
    assert.equal(await answerOf(socket), 'HTTP/1.1 200');
  });

  test('bodies of uploads may take longer', async () => {
    const socket = await open(post('/upload', 'application/octet-stream', 'a', 100));
    assert.equal(await answerOf(socket), 'HTTP/1.1 200');
  });
});
