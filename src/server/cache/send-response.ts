import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply } from 'fastify';
import { namesEntityTag } from '../http/entity-tags.ts';
import type { CachedResponse, Encoding } from './cached-response.ts';

const encodings: Encoding[] = ['zstd', 'br', 'gzip'];

/** Sends a response in the best encoding that the client accepts, or 304 when the client has it. */
export async function sendCachedResponse(
  reply: FastifyReply,
  response: CachedResponse,
): Promise<void> {
  const { headers } = reply.request;
  const accepted = headers['accept-encoding'];
  const encoding =
    (accepted && response.isWorthCompressing && negotiate(accepted, encodings)) || undefined;
  const ifNoneMatch = headers['if-none-match'];
  const etag = response.etag(encoding);
  const vary = reply.getHeader('vary');
  reply
    .headers(response.headers)
    .header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding')
    .header('etag', etag);
  if (namesEntityTag(ifNoneMatch, etag)) {
    reply.code(304).send();
    return;
  }
  const bytes = encoding ? await response.compress(encoding) : response.bytes;
  if (encoding) reply.header('content-encoding', encoding);
  reply.send(bytes);
}
