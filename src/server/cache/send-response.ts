import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesEntityTag } from '../http/entity-tags.ts';
import type { CachedResponse, Encoding } from './cached-response.ts';
import type { ResponseCache } from './response-cache.ts';
import { withResponseSlot } from './response-slots.ts';

const encodings: Encoding[] = ['br', 'gzip'];

/**
 * `onRequest` of a route that keeps its answers by their addresses: whoever asks for exactly such an
 * address is answered at once, and its query needs no checking.
 */
export function serveFromCache(
  answers: ResponseCache,
  keyOf = (request: FastifyRequest) => request.url,
) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = answers.kept(keyOf(request));
    if (!answer) return;
    await sendCachedResponse(reply, answer);
    return reply;
  };
}

/** Sends an answer in the best encoding that the caller takes, or 304 when it has this one already. */
export async function sendCachedResponse(
  reply: FastifyReply,
  answer: CachedResponse,
): Promise<void> {
  const { headers } = reply.request;
  const accepted = headers['accept-encoding'];
  const encoding =
    (accepted && answer.isWorthCompressing && negotiate(accepted, encodings)) || undefined;
  const etag = answer.etag(encoding);
  const vary = reply.getHeader('vary');
  reply
    .headers(answer.headers)
    .header('etag', etag)
    .header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding');
  if (namesEntityTag(headers['if-none-match'], etag)) {
    reply.code(304).send();
  } else if (encoding) {
    const bytes = await (answer.compressed(encoding) ??
      withResponseSlot(reply.request, () => answer.compress(encoding)));
    reply.header('content-encoding', encoding).send(bytes);
  } else {
    reply.send(answer.bytes);
  }
}
