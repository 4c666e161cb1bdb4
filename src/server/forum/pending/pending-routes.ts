import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import { PendingList, PendingPost } from '../../../shared/pending.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import type { App } from '../../http/app-type.ts';
import { listPendingPosts } from './pending-rows.ts';
import { withdrawPendingPost } from './withdraw-pending.ts';

const tags = ['comments'];

interface PendingServices {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}

/** Routes to see and withdraw the caller's posts that wait for a moderator. */
export function pendingRoutes(app: App, services: PendingServices): void {
  const { db, now } = services;

  app.get(
    apiRoutes.pendingPosts,
    {
      schema: {
        tags,
        summary: `Lo propio que espera revisión, o no se aprobó en los últimos ${limits.trashDays} días`,
        response: { 200: PendingList, '4xx': Problem },
      },
    },
    async (request) => ({ data: await listPendingPosts(db, callerOf(request).id, now()) }),
  );

  app.delete(
    apiRoutes.pendingPost(':id'),
    {
      schema: {
        tags,
        summary: 'Retirar algo propio que espera revisión, o quitar lo que no se aprobó',
        description: 'Devuelve lo que era, para seguir escribiéndolo.',
        params: Type.Object({ id: Type.String() }),
        response: { 200: PendingPost, '4xx': Problem },
      },
    },
    (request) => withdrawPendingPost(services, callerOf(request).id, request.params.id),
  );
}
