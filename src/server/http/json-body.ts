import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors.ts';

/**
 * Reads JSON bodies. Unlike the default parser it refuses bytes that are not UTF-8 instead of
 * storing replacement characters, and says in Spanish what is wrong.
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
        done(new Refusal('invalid_json'));
        return;
      }
      parse(request, text, (error, value) => done(error && new Refusal('invalid_json'), value));
    },
  );
}
