import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What is still read of a body after its answer, and for how long. */
const rest = { bytes: 12 * 1024 * 1024, ms: 5000, checkMs: 100 };

/**
 * Lets an answer that is sent before the end of a body (413, 401 and others) reach a client that is still
 * sending: the rest is read and dropped, within bounds, also when the connection is to be closed.
 */
export function lingerAfterEarlyAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    if (hasBody(request) && !raw.complete) {
      const { socket } = raw;
      // Node calls it after the last response of a connection.
      socket.destroySoon = () => lingeringClose(socket);
      reply.raw.once('finish', () => dropRest(raw));
    }
    done(null, payload);
  });
}

export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined;
}

/**
 * Ends this server's side of a connection after what was written, and lets Node read and drop what the client
 * still sends, until the client ends its side, or beyond the bounds of `rest`. Closing a connection at once that
 * has unread bytes resets it, and a client that gets a reset may lose the answer.
 */
export function lingeringClose(socket: Socket): void {
  limitRest(socket, () => false);
  socket.once('end', () => socket.destroy());
  socket.end();
}

function dropRest(body: IncomingMessage): void {
  const { socket } = body;
  if (body.complete || socket.destroyed) return;
  limitRest(socket, () => body.complete);
  // A body that waits for its reader would keep the connection from being read.
  body.removeAllListeners('data').resume();
}

/** Closes the connection when more than `rest` arrives, or it takes longer, before `isOver`. */
function limitRest(socket: Socket, isOver: () => boolean): void {
  const { bytesRead } = socket;
  let passedMs = 0;
  const timer = setInterval(() => {
    passedMs += rest.checkMs;
    if (isOver()) clearInterval(timer);
    else if (passedMs >= rest.ms || socket.bytesRead - bytesRead > rest.bytes) socket.destroy();
  }, rest.checkMs);
  socket.once('close', () => clearInterval(timer));
}
