import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests on one connection that may wait; browsers and proxies send none before its turn. */
const mostWaiting = 100;

/**
 * Begins with a request once the answers to those before it on its connection are sent. Node would
 * have all of them under way at once, and tells the answers that are not yet its connection's nothing
 * of its end: what they hold would be held for good.
 */
export function takeInTurn(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  const add = (socket: Socket, change: 1 | -1) => {
    const sum = (waiting.get(socket) ?? 0) + change;
    waiting.set(socket, sum);
    return sum;
  };
  app.addHook('onRequest', ({ raw: { socket } }, { raw: answer }, done) => {
    if (answer.socket) return done();
    if (add(socket, 1) > mostWaiting) {
      socket.destroy();
      return;
    }
    answer.once('socket', () => {
      add(socket, -1);
      // Node is not done with handing the connection over.
      process.nextTick(done);
    });
  });
}
