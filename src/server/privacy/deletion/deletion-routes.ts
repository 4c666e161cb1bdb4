import Type from 'typebox';
import { DeleteAccount, DeletionRequested } from '../../../shared/account-settings.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import { requireCurrentPassword } from '../../accounts/passwords/current-password.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import type { App } from '../../http/app-type.ts';
import { cancelDeletion, requestDeletion } from './deletion-request.ts';

const tags = ['accounts'];

export function deletionRoutes(
  app: App,
  services: {
    db: Database;
    withTransaction: WithTransaction;
    ledgerFolder: string;
    now: () => number;
  },
): void {
  app.delete(
    apiRoutes.me,
    {
      schema: {
        tags,
        summary: `Solicitar la eliminación de la cuenta; se puede cancelar durante ${limits.deletionDays} días`,
        body: DeleteAccount,
        response: { 202: DeletionRequested, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { id } = callerOf(request);
      const { currentPassword, content } = request.body;
      const passwordHash = await requireCurrentPassword(services.db, id, currentPassword);
      const requested = await requestDeletion(services, { id, passwordHash }, content);
      return reply.code(202).send(requested);
    },
  );

  app.post(
    apiRoutes.restoreMe,
    {
      schema: {
        tags,
        summary: 'Cancelar la eliminación de la cuenta',
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await cancelDeletion(services, callerOf(request).id);
      return reply.code(204).send(null);
    },
  );
}
