import { sql } from 'kysely';
import Type from 'typebox';
import { Problem } from '../../shared/errors.ts';
import type { Deps } from '../deps.ts';
import { refuseUnavailable } from '../errors.ts';
import type { App } from './app-type.ts';

const ok = { 200: Type.Object({ status: Type.Literal('ok') }), '5xx': Problem };

/** @param closing aborted once the server is to close: it still answers, and wants no more of it */
export function healthRoutes(app: App, { db, images }: Deps, closing: AbortSignal): void {
  const schema = (summary: string) => ({ tags: ['health'], summary, response: ok });

  app.get('/healthz', { schema: schema('El proceso vive') }, async () => ({
    status: 'ok' as const,
  }));

  app.get(
    '/readyz',
    { schema: schema('La base de datos y las imágenes responden') },
    async (request) => {
      if (closing.aborted) throw refuseUnavailable();
      try {
        await Promise.all([sql`select 1`.execute(db), images.check()]);
      } catch (error) {
        request.log.warn({ err: error }, 'not ready');
        throw refuseUnavailable();
      }
      return { status: 'ok' as const };
    },
  );
}
