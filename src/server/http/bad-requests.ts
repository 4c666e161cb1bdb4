import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { ApiError, problemType } from './api-error.ts';

/**
 * Status for each error code of Node's HTTP parser; 400 for all others. Written out, because importing
 * `STATUS_CODES` makes Node load `fetch`, which slows down each start.
 */
const statusByCode: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/**
 * Responds to requests that Node cannot parse or that arrive too slowly, and closes the connection.
 * No route or hook runs for them.
 */
export function respondToBadRequest(headers: Record<string, string>) {
  return (error: ConnectionError, socket: Socket): void => {
    // Bytes after a last request, whose answer closes the connection: a second answer would be one too many.
    if (error.code === 'HPE_CLOSED_CONNECTION') return;
    if (socket.writable && error.code !== 'ECONNRESET') {
      const statusLine = statusByCode[error.code] ?? '400 Bad Request';
      const status = Number.parseInt(statusLine, 10);
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
      socket.write(`HTTP/1.1 ${statusLine}\r\n${lines.join('')}\r\n${body}`);
    }
    socket.destroySoon();
  };
}
