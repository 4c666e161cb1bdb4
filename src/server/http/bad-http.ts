import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { ApiError, problemType } from './api-error.ts';

const badRequest = { status: 400, reason: 'Bad Request' };
// Without Node's `STATUS_CODES`: importing `node:http` reads all its exports, and one loads undici.
/** What Node calls it, and the answer to it. */
const answers: Record<string, typeof badRequest> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'Request Timeout' },
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'Request Header Fields Too Large' },
};

/** Answers what is no HTTP, or came too slowly to be any: no route and no hook ever sees it. */
export function answerBadHttp(headers: Record<string, string>) {
  return (error: ConnectionError, socket: Socket): void => {
    if (error.code !== 'ECONNRESET' && socket.writable) {
      const { status, reason } = answers[error.code] ?? badRequest;
      const problem = new ApiError('invalid_request').toProblem(randomUUID());
      const body = JSON.stringify({ ...problem, status });
      const fields = {
        ...headers,
        'cache-control': 'no-store',
        'content-type': problemType,
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      };
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
    }
    socket.destroy();
  };
}
