import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { Log } from '../../shared/moderation.ts';
import { withQuery } from '../../shared/routes.ts';
import { Id } from '../../shared/schema.ts';
import { cachedGet, type ResponseCache } from '../cache/response-cache.ts';
import type { Database } from '../database/tables.ts';
import type { App } from '../http/app-type.ts';
import { listLog } from './log-queries.ts';

/** The public log of decisions. */
export function logRoutes(
  app: App,
  { db, responses }: { db: Database; responses: ResponseCache },
): void {
  cachedGet(
    app,
    responses,
    apiRoutes.log,
    {
      tags: ['moderation'],
      summary: 'Lo que se ha decidido, lo último primero, sin nombres ni textos',
      querystring: Type.Object({ after: Type.Optional(Id()) }),
      response: { 200: Log, '4xx': Problem },
    },
    ({ query: { after } }) => ({
      url: withQuery(apiRoutes.log, { after }),
      // Decisions about people are not announced.
      subject: undefined,
      load: () => listLog(db, after),
    }),
  );
}
