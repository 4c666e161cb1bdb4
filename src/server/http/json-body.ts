import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

/** More than any body of the API needs. Much deeper nesting overflows the stack of recursive code. */
const maxDepth = 20;

/**
 * Reads JSON bodies. Unlike the default parser it refuses bytes that are not UTF-8 instead of
 * storing replacement characters, and those nested deeper than anything here; and it says in Spanish
 * what is wrong.
 */
export function addJsonParser(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      // Many clients name the type on every call, also where nothing is sent, such as at sign-in.
      if (body.length === 0) {
        done(null, undefined);
        return;
      }
      let text: string;
      try {
        text = utf8.decode(body);
      } catch {
        done(new ApiError('invalid_json'));
        return;
      }
      parse(request, text, (error, value) => {
        if (error || isDeeperThan(maxDepth, value)) done(new ApiError('invalid_json'));
        else done(null, value);
      });
    },
  );
}

/** Goes through it level by level, since one that is deep cannot be walked by recursion. */
function isDeeperThan(depth: number, value: unknown): boolean {
  let level = [value];
  for (let left = depth; level.length > 0; left--) {
    if (left < 0) return true;
    level = level.flatMap((one) => (one instanceof Object ? Object.values(one) : []));
  }
  return false;
}
