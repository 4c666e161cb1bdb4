import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import type { ProblemCode } from '../../shared/errors.ts';
import { Refusal } from '../errors.ts';
import { defaultHeaders } from './security-headers.ts';

const codes: Record<string, ProblemCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Answers what cannot be read as a request at all, and so comes to no hook and no route. */
export function answerBroken(error: ConnectionError, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const refusal = new Refusal(codes[error.code] ?? 'invalid_request');
    const problem = refusal.toProblem(randomUUID());
    const body = JSON.stringify(problem);
    const headers = {
      ...defaultHeaders,
      'cache-control': 'no-store',
      'content-type': 'application/problem+json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const { status } = problem;
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  }
  socket.destroy(error);
}
