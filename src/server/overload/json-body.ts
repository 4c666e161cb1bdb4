import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, unavailableError } from '../http/api-error.ts';
import { addressKey } from '../limits/address-key.ts';
import { FairSemaphore } from './fair-semaphore.ts';
import { largeBodyBytes } from './large-bodies.ts';

/** More than the depth of any body of the API. Much deeper nesting overflows the stack of recursive code. */
const maxDepth = 20;

/** Large bodies are parsed one at a time, up to 20 ms each. `limitLargeBodies` limits how many wait. */
const parsing = new FairSemaphore(1, Number.POSITIVE_INFINITY, unavailableError);

/**
 * Parses JSON bodies. Unlike the default parser it rejects deep nesting and invalid UTF-8, which would be
 * stored as replacement characters, and its errors are in Spanish. Large bodies are parsed in turns by
 * address.
 */
export function addJsonParser(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      // Many clients send the content type with every request, even without a body.
      if (body.length === 0) return undefined;
      if (body.length <= largeBodyBytes) return parseBody(request, body);
      const isNeeded = () => !request.raw.socket.destroyed;
      return parsing.run(addressKey(request.ip), () => parseBody(request, body), { isNeeded });
    },
  );

  /** @throws ApiError */
  async function parseBody(request: FastifyRequest, body: Buffer): Promise<unknown> {
    let text: string;
    try {
      text = utf8.decode(body);
    } catch {
      throw new ApiError('invalid_json');
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    parse(request, text, (error, value) => {
      if (error || isDeeperThan(maxDepth, value)) reject(new ApiError('invalid_json'));
      else resolve(value);
    });
    return promise;
  }
}

/** Walks level by level, because recursion could overflow the stack. */
function isDeeperThan(depth: number, value: unknown): boolean {
  let level = [value];
  for (let left = depth; level.length > 0; left--) {
    if (left < 0) return true;
    level = level.flatMap((one) => (one instanceof Object ? Object.values(one) : []));
  }
  return false;
}
