import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import {
  Appeal,
  CommentVersions,
  Decision,
  Log,
  MemberList,
  NewDecision,
  NewReport,
  NewRole,
  NewUndo,
  OwnDecision,
  OwnDecisions,
  OwnReports,
  PasswordLink,
  Queue,
  Receipt,
  ReportState,
  Summary,
} from '../../shared/moderation.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { Id, Text } from '../../shared/schema.ts';
import { actorOf } from '../accounts/actor.ts';
import { linkMs } from '../accounts/recovery/password-links.ts';
import { callerOf, sessionOf } from '../accounts/sessions/session-guard.ts';
import { type Database, toInstant } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { commentKeyParameters, parseCommentKey } from '../forum/comments/comment-routes.ts';
import type { App } from '../http/app-type.ts';
import { cachedGet, type ResponseCache } from '../http/cache/response-cache.ts';
import { requireHost } from '../http/site-origin.ts';
import type { Config } from '../system/settings/config.ts';
import { appeal } from './appeals/appeal.ts';
import { readOwnDecisions } from './appeals/own-decisions.ts';
import { decide } from './decisions/decide.ts';
import { parseDraft } from './decisions/decision-draft.ts';
import { requireDecision } from './decisions/decision-log.ts';
import { undo } from './decisions/undo.ts';
import { listLog } from './log/log-queries.ts';
import { listMembers } from './members/list-members.ts';
import { linkToPassword } from './members/password-link.ts';
import { setRole } from './members/roles.ts';
import { readQueue } from './queue/queue-queries.ts';
import { parseReport, reportContent } from './reports/report-content.ts';
import { readOwnReports, readReport } from './reports/report-states.ts';
import { rememberedSummary } from './summary/community-summary.ts';
import { listVersions } from './versions/list-versions.ts';

const tags = ['moderation'];

interface ModerationServices {
  db: Database;
  now: () => number;
  withTransaction: WithTransaction;
  config: Pick<Config, 'publicUrl'>;
  responses: ResponseCache;
}

/** Routes to report and decide, to see the caller's reports and decisions about the caller, and the public log. */
export function moderationRoutes(app: App, services: ModerationServices): void {
  staffRoutes(app, services);
  reportRoutes(app, services);
  ownRoutes(app, services);
  logRoutes(app, services);
}

/**
 * Routes for moderators: the queue and decisions about content and people; and for admins: roles and password links.
 */
function staffRoutes(app: App, services: ModerationServices): void {
  const { db, config, now } = services;
  const params = Type.Object({ id: Type.String() });

  app.get(
    apiRoutes.queue,
    {
      schema: {
        tags,
        summary:
          'Lo que espera una decisión, primero lo denunciado como ilegal y luego lo más antiguo; o lo ya decidido, lo último primero',
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
        summary: `Los textos que ha tenido un comentario en los últimos ${limits.trashDays} días, también oculto o eliminado`,
        params: commentKeyParameters,
        response: { 200: CommentVersions, '4xx': Problem },
      },
    },
    (request) => listVersions(services, parseCommentKey(request.params)),
  );

  app.get(
    apiRoutes.members,
    {
      schema: {
        tags,
        summary:
          'Las cuentas, las más nuevas primero, sin las eliminadas ni las rechazadas, con el comienzo de lo último que escribió o espera de cada una',
        description:
          '`q` es el comienzo de cualquier palabra del nombre, sin distinguir mayúsculas ni acentos; se miran ' +
          'como mucho mil palabras que empiecen así.',
        querystring: Type.Object({
          q: Type.Optional(Text(limits.userNameChars)),
          unapproved: Type.Optional(
            Type.Literal('1', {
              description:
                'Solo los miembros a los que nadie ha aprobado, ni a ellos ni nada suyo, sin los que están ocultos por completo.',
            }),
          ),
          after: Type.Optional(Id()),
        }),
        response: { 200: MemberList, '4xx': Problem },
      },
    },
    (request) => listMembers(services, request.query),
  );

  const summary = rememberedSummary(db, now);
  app.get(
    apiRoutes.summary,
    {
      schema: {
        tags,
        summary: 'Cómo fueron las últimas doce semanas, sin nombres',
        description: 'Se cuenta como mucho una vez por hora: la respuesta dice cuándo.',
        response: { 200: Summary, '4xx': Problem },
      },
    },
    () => summary(),
  );

  app.post(
    apiRoutes.decisions,
    {
      schema: {
        tags,
        summary:
          'Decidir sobre un comentario, un canal, una persona, varias o una petición de revisión',
        description:
          'Con `version`, la de la cola, vale solo si nadie decidió antes y el contenido no cambió: si no, 409 ' +
          'con `already_decided` y, en `decision`, la que hubo. `approve` y `reject` son para lo que espera ' +
          'aprobación: un comentario o un canal, con el id que tiene mientras espera, o una cuenta. `dismiss` sobre ' +
          'una petición de revisión mantiene la decisión; deshacer esta la anula.',
        body: NewDecision,
        response: { 201: Decision, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const id = await decide(actorOf(services, request), parseDraft(request.body));
      return reply.code(201).send(await requireDecision(db, id));
    },
  );

  app.get(
    apiRoutes.decision(':id'),
    {
      schema: {
        tags,
        summary: 'Una decisión',
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
        summary: 'Deshacer una decisión, una vez; lo que oculta también otra sigue oculto',
        description:
          'Con `appeal`, vale solo si nadie respondió antes a esa petición de revisión: si no, 409 con `already_decided` y, en ' +
          '`decision`, la respuesta que hubo.',
        params,
        body: NewUndo,
        response: { 200: Decision, '4xx': Problem },
      },
    },
    async (request) => {
      const { params, body } = request;
      return requireDecision(db, await undo(actorOf(services, request), params.id, body));
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
    },
    async (request, reply) => {
      const { params, body } = request;
      await setRole(actorOf(services, request), params.id, body.role);
      return reply.code(204).send(null);
    },
  );

  app.post(
    apiRoutes.passwordLink(':id'),
    {
      schema: {
        tags,
        summary: 'Un enlace de un solo uso para que una persona ponga una contraseña nueva',
        params,
        response: { 201: PasswordLink, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const nowMs = now();
      const token = await linkToPassword(actorOf(services, request), request.params.id);
      const origin = config.publicUrl ?? `${request.protocol}://${requireHost(request)}`;
      const url = `${origin}${pageRoutes.password}#${token}`;
      return reply.code(201).send({ url, endsAt: toInstant(nowMs + linkMs) });
    },
  );
}

/** Routes to report content and people, with or without a session, and to look up the outcome. */
function reportRoutes(app: App, services: ModerationServices): void {
  app.post(
    apiRoutes.reports,
    {
      schema: {
        tags,
        summary: 'Denunciar un comentario, un canal o a una persona, también sin cuenta',
        description:
          'El id de un comentario es `<canal>-<número>`. Sin cuenta, `illegal` lleva también `text`, `name`, ' +
          '`email` y `goodFaith: true`. Quien repite recibe el primer justificante.',
        body: NewReport,
        response: { 202: Receipt, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const accountId = request.session?.user.id ?? null;
      const report = parseReport(request.body, accountId === null);
      const reporter = { accountId, addressKey: request.addressKey };
      const receipt = await reportContent(services, reporter, report);
      return reply.code(202).send({ receipt });
    },
  );

  app.get(
    apiRoutes.report(':receipt'),
    {
      schema: {
        tags,
        summary: `Qué ha sido de una denuncia, hasta ${limits.trashDays} días después de la decisión`,
        params: Type.Object({ receipt: Type.String() }),
        response: { 200: ReportState, '4xx': Problem },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'private, no-store');
      return readReport(services.db, request.params.receipt);
    },
  );
}

/** Routes to see the caller's reports and decisions about the caller, and to appeal against these. */
function ownRoutes(app: App, services: ModerationServices): void {
  const { db, now } = services;

  app.get(
    apiRoutes.ownReports,
    {
      schema: {
        tags,
        summary: 'Lo que uno ha denunciado y en qué quedó, hasta 100 denuncias, lo último primero',
        description: `Cada denuncia está hasta ${limits.trashDays} días después de la decisión.`,
        response: { 200: OwnReports, '4xx': Problem },
      },
    },
    async (request) => ({ data: await readOwnReports(db, callerOf(request).id) }),
  );

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
        summary: 'Pedir que se revise una decisión, una vez y mientras esté en vigor',
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

function logRoutes(app: App, { db, responses }: ModerationServices): void {
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
      // Not cached, because decisions about people are not announced.
      url: undefined,
      load: () => listLog(db, after),
    }),
  );
}
