import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Limits on reading the rest of a body after its answer. A test shortens the time. */
export const rest = { bytes: 12 * 1024 * 1024, ms: 5000, checkMs: 100 };

/**
 * Lets an answer that is sent before the end of a body (413, 401 and others) reach a client that is still
 * sending: the rest of the body is read and discarded within limits, even if the connection is to be closed.
 */
export function lingerAfterEarlyAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    if (hasBody(request) && !raw.complete) {
      const { socket } = raw;
      // Node calls `destroySoon` after the last response of a connection.
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
 * Ends this side of a connection after all written data, and lets Node read and discard what the client still
 * sends, until the client ends its side or a limit in `rest` is reached. Closing a connection with unread
 * bytes resets it, and a client that gets a reset may lose the answer.
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
  // A paused body would keep Node from reading the connection.
  body.removeAllListeners('data').resume();
}

/** Closes the connection when more than `rest` arrives, or it takes longer, before `isOver` returns true. */
function limitRest(socket: Socket, isOver: () => boolean): void {
  const { bytesRead } = socket;
  let passedMs = 0;
  const timer = setInterval(() => {
    passedMs += rest.checkMs;
    if (isOver() || socket.destroyed) clearInterval(timer);
    else if (passedMs >= rest.ms || socket.bytesRead - bytesRead > rest.bytes) socket.destroy();
  }, rest.checkMs);
}
