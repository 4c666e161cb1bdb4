import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { limitConnections } from './connections.ts';

describe('200 connections that send a request at once', () => {
  let app: FastifyInstance;
  const sockets: Socket[] = [];
  /** Addresses of the clients, in the order in which their requests started. */
  const started: string[] = [];
  let mostInTurn = 0;

  before(async () => {
    let inTurn = 0;
    app = fastify();
    limitConnections(app, { trustProxy: 0 });
    app.get('/', async ({ ip }) => {
      started.push(ip);
      mostInTurn = Math.max(mostInTurn, ++inTurn);
      return '';
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    for (const localAddress of [...Array(200).fill('127.0.0.2'), '127.0.0.1']) {
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      await once(socket, 'connect');
      sockets.push(socket);
    }
    let isDone = false;
    const countTurns = () => {
      inTurn = 0;
      if (!isDone) setImmediate(countTurns);
    };
    countTurns();
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    isDone = true;
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
  });

  test('start a few requests in each turn of the event loop, so that new connections are accepted in between', () => {
    assert.equal(started.length, 201);
    assert.ok(mostInTurn <= 32, `${mostInTurn} in one turn`);
  });

  test('delay the request of another address by only a few requests', () => {
    const position = started.indexOf('127.0.0.1');
    assert.ok(position < 40, `${position} before it`);
  });
});
