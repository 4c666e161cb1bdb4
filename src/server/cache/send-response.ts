import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply } from 'fastify';
import { namesEntityTag } from '../http/entity-tags.ts';
import type { CachedResponse, Encoding } from './cached-response.ts';
import { withResponseSlot } from './response-slots.ts';

const encodings: Encoding[] = ['br', 'gzip'];

/** Sends a response in the best encoding that the client accepts, or 304 when the client has it. */
export async function sendCachedResponse(
  reply: FastifyReply,
  response: CachedResponse,
): Promise<void> {
  const { headers } = reply.request;
  const accepted = headers['accept-encoding'];
  const encoding =
    (accepted && response.isWorthCompressing && negotiate(accepted, encodings)) || undefined;
  const etag = response.etag(encoding);
  const vary = reply.getHeader('vary');
  reply
    .headers(response.headers)
    .header('etag', etag)
    .header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding');
  if (namesEntityTag(headers['if-none-match'], etag)) {
    reply.code(304).send();
  } else if (encoding) {
    const bytes = await (response.compressed(encoding) ??
      withResponseSlot(reply.request, () => response.compress(encoding)));
    reply.header('content-encoding', encoding).send(bytes);
  } else {
    reply.send(response.bytes);
  }
}
