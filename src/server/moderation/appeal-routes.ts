import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { Appeal, OwnDecision, OwnDecisions } from '../../shared/moderation.ts';
import { callerOf } from '../accounts/sessions/session-guard.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import type { App } from '../http/app-type.ts';
import { appeal, readOwnDecisions } from './appeal-queries.ts';

const tags = ['moderation'];

/** Routes to see what was decided about oneself, and to appeal against it. */
export function appealRoutes(
  app: App,
  services: { db: Database; transact: Transact; now: () => number },
): void {
  const { db, now } = services;

  app.get(
    apiRoutes.ownDecisions,
    {
      schema: {
        tags,
        summary:
          'Lo que se ha decidido sobre la propia cuenta y lo que escribió, hasta 100, lo último primero',
        response: { 200: OwnDecisions, '4xx': Problem },
      },
    },
    async (request) => ({ data: await readOwnDecisions(db, callerOf(request).id, now()) }),
  );

  app.post(
    apiRoutes.appeal(':id'),
    {
      schema: {
        tags,
        summary: 'Recurrir una decisión, una vez y mientras esté en vigor',
        params: Type.Object({ id: Type.String() }),
        body: Appeal,
        response: { 201: OwnDecision, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const decision = await appeal(services, callerOf(request).id, params.id, body.text);
      return reply.code(201).send(decision);
    },
  );
}
