import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { addressKey } from '../http/address-key.ts';
import { unavailableError } from '../http/api-error.ts';
import { namesEntityTag } from '../http/entity-tags.ts';
import type { CachedResponse, Encoding } from './cached-response.ts';

const encodings: Encoding[] = ['br', 'gzip'];

/** Building a response takes milliseconds of CPU: a few at once leave time for other requests. */
const slots = new FairSemaphore(4, 1000, unavailableError);

/**
 * Runs `make`, which builds or compresses a response, when the caller's address has a slot.
 * Addresses take slots in rotation.
 * @throws ApiError `unavailable` when too many calls of that address wait
 */
export function withResponseSlot<T>(
  { ip }: FastifyRequest,
  make: () => Promise<T> | T,
): Promise<T> {
  return slots.run(addressKey(ip), make);
}

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
  const known = response.etags(encoding).find((etag) => namesEntityTag(ifNoneMatch, etag));
  const vary = reply.getHeader('vary');
  reply
    .headers(response.headers)
    .header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding');
  if (known) {
    reply.code(304).header('etag', known).send();
  } else if (encoding) {
    const { bytes, etag } = await (response.compressed(encoding) ??
      withResponseSlot(reply.request, () => response.compress(encoding)));
    reply.header('content-encoding', encoding).header('etag', etag).send(bytes);
  } else {
    reply.header('etag', response.etags(undefined)[0]).send(response.bytes);
  }
}
