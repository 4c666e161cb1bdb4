import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { NewRole, PasswordLink } from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { linkMs } from '../accounts/recovery/password-links.ts';
import {
  callerOf,
  requireStaff,
  type SessionServices,
  sessionOf,
} from '../accounts/sessions/session-guard.ts';
import type { Config } from '../config/config.ts';
import { toInstant } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { requireHost } from '../http/request-host.ts';
import { linkToPassword } from './accounts.ts';
import type { Moderator } from './audited.ts';
import { setRole } from './roles.ts';

interface RoleServices extends SessionServices {
  transact: Transact;
  config: Pick<Config, 'sessionDays' | 'publicUrl'>;
}

/** Routes of the staff on accounts: an admin gives roles, a moderator lets somebody in again. */
export function roleRoutes(app: App, services: RoleServices): void {
  const { config, now } = services;
  const params = Type.Object({ id: Type.String() });
  const guarded = { onRequest: requireStaff(services), config: { budget: 'moderate' } } as const;
  const staff = { tags: ['moderation'], security: [{ bearer: [] }], params };
  const moderatorOf = (request: Parameters<typeof callerOf>[0]): Moderator => {
    const { id } = callerOf(request);
    return { ...services, actor: id, callerId: id, note: '' };
  };

  app.put(
    apiRoutes.userRole(':id'),
    {
      ...guarded,
      schema: {
        ...staff,
        summary: 'Dar un papel a una cuenta',
        body: NewRole,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      if (sessionOf(request).role !== 'admin') {
        const detail = 'Los papeles los da quien administra el foro.';
        throw new ApiError('staff_only', { detail });
      }
      await setRole(moderatorOf(request), request.params.id, request.body.role);
      return reply.code(204).send(null);
    },
  );

  app.post(
    apiRoutes.passwordLink(':id'),
    {
      ...guarded,
      schema: {
        ...staff,
        summary: 'Un enlace de un solo uso para que una persona ponga otra contraseña',
        response: { 201: PasswordLink, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const nowMs = now();
      const token = await linkToPassword(moderatorOf(request), request.params.id);
      const origin = config.publicUrl ?? `${request.protocol}://${requireHost(request)}`;
      const url = `${origin}${pageRoutes.password}#${token}`;
      return reply.code(201).send({ url, endsAt: toInstant(nowMs + linkMs) });
    },
  );
}
