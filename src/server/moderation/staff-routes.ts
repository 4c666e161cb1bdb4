import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import {
  ArrivalList,
  CommentVersions,
  Decision,
  NewDecision,
  NewRole,
  PasswordLink,
  Queue,
} from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { Id, Instant } from '../../shared/schema.ts';
import { linkMs } from '../accounts/recovery/password-links.ts';
import { sessionOf } from '../accounts/sessions/session-guard.ts';
import { commentKeyParameters, parseCommentKey } from '../comments/comment-routes.ts';
import type { Config } from '../config/config.ts';
import { type Database, toInstant } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { attempt } from '../failed-tasks.ts';
import type { App } from '../http/app-type.ts';
import { requireHost } from '../http/site-origin.ts';
import { listArrivals } from './arrivals.ts';
import { moderatorOf } from './audited.ts';
import { listVersions } from './content.ts';
import { decide } from './decide.ts';
import { requireDecision } from './decision-queries.ts';
import { parseDraft } from './draft.ts';
import { linkToPassword } from './password-link.ts';
import { readQueue } from './queue-queries.ts';
import { setRole } from './roles.ts';
import { undoDecision } from './undo.ts';
import { continueWaves } from './waves.ts';

const tags = ['moderation'];

interface StaffServices {
  db: Database;
  now: () => number;
  transact: Transact;
  config: Pick<Config, 'dataDir' | 'publicUrl'>;
  stopping: AbortSignal;
}

/** How long a response waits for a wave, so that a moderator need not ask again about a short one. */
const answerMs = 300;

/** Routes of moderators: the queue, decisions on content and people, and roles, which admins give. */
export function staffRoutes(app: App, services: StaffServices): void {
  const { db, config, now } = services;
  const params = Type.Object({ id: Type.String() });

  const continueAll = async () => {
    await attempt(services, 'waves', app.log, () => continueWaves(services));
  };
  let last = Promise.resolve();
  /** Does the beginning of what a wave changes, and goes on after the answer. */
  async function answer(id: string): Promise<Decision> {
    const begin = () => continueWaves(services, answerMs);
    const isFinished = await attempt(services, 'waves', app.log, begin);
    // One after the other, since each of them does all of it.
    if (!isFinished) last = last.then(() => continueAll());
    return requireDecision(db, id);
  }

  app.get(
    apiRoutes.queue,
    {
      schema: {
        tags,
        summary:
          'Lo que espera una decisión, primero lo más antiguo, o lo ya decidido, lo último primero',
        description:
          '`pending` es lo que espera aprobación: comentarios y canales, con el id que tienen mientras esperan, y ' +
          'cuentas. Los recuentos llegan como mucho a 1.000.',
        querystring: Type.Object({
          state: Type.Optional(Type.Enum(['open', 'pending', 'decided'])),
          after: Type.Optional(Id()),
        }),
        response: { 200: Queue, '4xx': Problem },
      },
    },
    (request) => {
      const { user, role } = sessionOf(request);
      const { state = 'open', after } = request.query;
      return readQueue(db, { id: user.id, role }, { state, after }, now());
    },
  );

  app.get(
    apiRoutes.versions(':id', ':number'),
    {
      schema: {
        tags,
        summary:
          'Los textos que ha tenido un comentario en los últimos 30 días, también oculto o eliminado',
        params: commentKeyParameters,
        response: { 200: CommentVersions, '4xx': Problem },
      },
    },
    (request) => listVersions(services, parseCommentKey(request.params)),
  );

  app.get(
    apiRoutes.arrivals,
    {
      schema: {
        tags,
        summary: 'Las cuentas abiertas entre dos momentos y lo que escribió cada una',
        querystring: Type.Object({ from: Instant, to: Instant }),
        response: { 200: ArrivalList, '4xx': Problem },
      },
    },
    async (request) => ({ data: await listArrivals(db, request.query, now()) }),
  );

  app.post(
    apiRoutes.decisions,
    {
      schema: {
        tags,
        summary: 'Decidir sobre un comentario, un canal, una persona o una oleada',
        description:
          'Con `version`, la de la cola, vale solo si nadie decidió antes y el contenido no cambió: si no, 409 ' +
          'con `already_decided` y, en `decision`, la que hubo. `approve` y `reject` son para lo que espera ' +
          'aprobación: un comentario o un canal, con el id que tiene mientras espera, o una cuenta.',
        body: NewDecision,
        response: { 201: Decision, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const id = await decide(moderatorOf(services, request), parseDraft(request.body));
      return reply.code(201).send(await answer(id));
    },
  );

  app.get(
    apiRoutes.decision(':id'),
    {
      schema: {
        tags,
        summary: 'Una decisión, y cuánto le queda a una oleada',
        params,
        response: { 200: Decision, '4xx': Problem },
      },
    },
    (request) => requireDecision(db, request.params.id),
  );

  app.post(
    apiRoutes.undoDecision(':id'),
    {
      schema: {
        tags,
        summary: 'Deshacer una decisión: cambia de vuelta justo lo que cambió',
        params,
        response: { 200: Decision, '4xx': Problem },
      },
    },
    async (request) => {
      const { id } = request.params;
      await undoDecision(moderatorOf(services, request), id);
      return answer(id);
    },
  );

  app.put(
    apiRoutes.userRole(':id'),
    {
      schema: {
        tags,
        summary: 'Dar un papel a una cuenta',
        params,
        body: NewRole,
        response: { 204: Type.Null(), '4xx': Problem },
      },
      // `setRole` rejects an invalid body after its other checks.
      attachValidation: true,
    },
    async (request, reply) => {
      const { params, validationError } = request;
      const role = validationError ? 'member' : request.body.role;
      await setRole(moderatorOf(services, request), params.id, role, validationError);
      return reply.code(204).send(null);
    },
  );

  app.post(
    apiRoutes.passwordLink(':id'),
    {
      schema: {
        tags,
        summary: 'Un enlace de un solo uso para que una persona ponga otra contraseña',
        params,
        response: { 201: PasswordLink, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const nowMs = now();
      const token = await linkToPassword(moderatorOf(services, request), request.params.id);
      const origin = config.publicUrl ?? `${request.protocol}://${requireHost(request)}`;
      const url = `${origin}${pageRoutes.password}#${token}`;
      return reply.code(201).send({ url, endsAt: toInstant(nowMs + linkMs) });
    },
  );
}
