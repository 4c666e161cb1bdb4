import { Readable } from 'node:stream';
import type { Server } from '@tus/server';
import type { FastifyRequest } from 'fastify';
import type { ProblemCode } from '../../../shared/errors.ts';
import { ApiError } from '../../http/api-error.ts';

export type TusRequest = Parameters<Server['handleWeb']>[0];

/** Converts a request to the tus server's type, which uses only the path of the URL. */
export function toTusRequest(request: FastifyRequest): TusRequest {
  const hasBody = request.method === 'POST' || request.method === 'PATCH';
  const init: RequestInit = {
    method: request.method,
    headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  };
  if (hasBody) Object.assign(init, { body: Readable.toWeb(request.raw), duplex: 'half' });
  return new Request(new URL(request.url, 'http://tus.invalid'), init);
}

export function apiErrorForStatus(status: number): ApiError {
  const codes: Record<number, ProblemCode> = {
    404: 'upload_not_found',
    409: 'upload_conflict',
    410: 'upload_not_found',
    413: 'too_large',
    423: 'upload_locked',
    // tus responds with 501 when a request uses an unsupported extension.
    501: 'invalid_upload',
  };
  return new ApiError(codes[status] ?? (status < 500 ? 'invalid_upload' : 'internal_error'));
}
