import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { Held, HeldList } from '../../../shared/held.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import type { App } from '../../http/app-type.ts';
import { holdsFirstPost } from './hold-post.ts';
import { listHeld } from './pending-rows.ts';
import { withdrawHeld } from './withdraw-pending.ts';

const tags = ['comments'];

interface HeldServices {
  db: Database;
  transact: Transact;
  now: () => number;
}

/** Routes to see and withdraw what of one's own waits for a moderator. */
export function heldRoutes(app: App, services: HeldServices): void {
  const { db, now } = services;

  app.get(
    apiRoutes.held,
    {
      schema: {
        tags,
        summary: 'Lo propio que espera revisión, o no se aprobó en los últimos 30 días',
        response: { 200: HeldList, '4xx': Problem },
      },
    },
    async (request) => {
      const { id } = callerOf(request);
      return { data: await listHeld(db, id, now()), holdsNext: await holdsFirstPost(db, id) };
    },
  );

  app.delete(
    apiRoutes.heldItem(':id'),
    {
      schema: {
        tags,
        summary: 'Retirar algo propio que espera revisión, o quitar lo que no se aprobó',
        description: 'Devuelve lo que era, para seguir escribiéndolo.',
        params: Type.Object({ id: Type.String() }),
        response: { 200: Held, '4xx': Problem },
      },
    },
    (request) => withdrawHeld(services, callerOf(request).id, request.params.id),
  );
}
