import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { ConfirmEmail } from '../../shared/notification-settings.ts';
import { callerOf } from '../accounts/sessions/session-guard.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { confirmEmail, resendConfirmation } from '../mail/confirm-email.ts';
import type { Config } from '../system/settings/config.ts';

const tags = ['accounts'];

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
  config: Pick<Config, 'mail'>;
}

/** Routes that confirm an account's address. */
export function confirmRoutes(app: App, services: Services): void {
  const { config } = services;

  app.post(
    apiRoutes.sendConfirmation,
    {
      schema: {
        tags,
        summary: 'Recibir otra vez el enlace que confirma el correo',
        description:
          'El enlace anterior deja de servir. 429 si ese buzón ya ha recibido los enlaces de un día. Si desde la misma conexión ya se han pedido muchos, sale después de los demás mensajes.',
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      if (!config.mail) throw new ApiError('mail_unavailable');
      const isLast = !(await request.isWithin('confirmation'));
      await resendConfirmation(services, callerOf(request).id, isLast);
      return reply.code(204).send(null);
    },
  );

  app.post(
    apiRoutes.confirmEmail,
    {
      schema: {
        tags,
        summary: 'Confirmar el correo con el enlace que llegó a él',
        body: ConfirmEmail,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await confirmEmail(services, request.body.token);
      return reply.code(204).header('cache-control', 'private, no-store').send(null);
    },
  );
}
