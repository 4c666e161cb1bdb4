import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { problemType, Refusal } from '../errors.ts';

/** What Node calls it, and the status for it; anything else is 400. */
const statuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what is no HTTP, or came too slowly to be any: no route and no hook ever sees it. */
export function answerBadHttp(headers: Record<string, string>) {
  return (error: ConnectionError, socket: Socket): void => {
    if (error.code !== 'ECONNRESET' && socket.writable) {
      const status = statuses[error.code] ?? 400;
      const problem = new Refusal('invalid_request').toProblem(randomUUID());
      const body = JSON.stringify({ ...problem, status });
      const fields = {
        ...headers,
        'cache-control': 'no-store',
        'content-type': problemType,
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      };
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    }
    socket.destroy();
  };
}
