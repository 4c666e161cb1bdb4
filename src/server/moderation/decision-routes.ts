import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import {
  ArrivalList,
  type NewDecision as Body,
  Decision,
  NewDecision,
} from '../../shared/moderation.ts';
import { Instant } from '../../shared/schema.ts';
import {
  callerOf,
  requireStaff,
  type SessionServices,
} from '../accounts/sessions/session-guard.ts';
import type { Config } from '../config/config.ts';
import type { Transact } from '../database/transactions.ts';
import { attempt } from '../failed-tasks.ts';
import type { App } from '../http/app-type.ts';
import { FieldParser } from '../http/field-parser.ts';
import type { Moderator } from './audited.ts';
import { type Draft, decide } from './decide.ts';
import { requireDecision } from './decision-queries.ts';
import { undoDecision } from './undo.ts';
import { continueWaves, hideNewest, listArrivals } from './waves.ts';

interface DecisionServices extends SessionServices {
  transact: Transact;
  config: Pick<Config, 'sessionDays' | 'dataDir'>;
  stopping: AbortSignal;
}

/** Routes of moderators to decide, to undo decisions, and to see who arrived before a wave. */
export function decisionRoutes(app: App, services: DecisionServices): void {
  const { db, now } = services;
  const staff = { tags: ['moderation'], security: [{ bearer: [] }] };
  const guarded = { onRequest: requireStaff(services), config: { budget: 'moderate' } } as const;
  const params = Type.Object({ id: Type.String() });

  const moderatorOf = (request: Parameters<typeof callerOf>[0]): Moderator => {
    const { id } = callerOf(request);
    return { ...services, actor: id, callerId: id, note: '' };
  };
  /** Does the beginning of what a wave changes, and goes on after the answer. */
  async function answer(id: string, isHiding: boolean): Promise<Decision> {
    if (isHiding) await hideNewest(services, id);
    const decision = await requireDecision(db, id);
    if (decision.remaining > 0)
      void attempt(services, 'waves', app.log, () => continueWaves(services, id));
    return decision;
  }

  app.post(
    apiRoutes.decisions,
    {
      ...guarded,
      schema: {
        ...staff,
        summary: 'Decidir sobre un comentario, un canal, una persona o una oleada',
        description:
          'Con `version`, la de la cola, vale solo si nadie decidió antes y el contenido no cambió: si no, 409 ' +
          'con `already_decided` y, en `decision`, la que hubo.',
        body: NewDecision,
        response: { 201: Decision, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const draft = parseDraft(request.body);
      const id = await decide(moderatorOf(request), draft);
      return reply.code(201).send(await answer(id, draft.action === 'hideAll'));
    },
  );

  app.get(
    apiRoutes.decision(':id'),
    {
      ...guarded,
      config: { budget: 'personal' },
      schema: {
        ...staff,
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
      ...guarded,
      schema: {
        ...staff,
        summary: 'Deshacer una decisión: cambia de vuelta justo lo que cambió',
        params,
        response: { 200: Decision, '4xx': Problem },
      },
    },
    async (request) => {
      const { id } = await requireDecision(db, request.params.id);
      await undoDecision(moderatorOf(request), id);
      return answer(id, false);
    },
  );

  app.get(
    apiRoutes.arrivals,
    {
      ...guarded,
      config: { budget: 'personal' },
      schema: {
        ...staff,
        summary: 'Las cuentas abiertas entre dos momentos y lo que escribió cada una',
        querystring: Type.Object({ from: Instant, to: Instant }),
        response: { 200: ArrivalList, '4xx': Problem },
      },
    },
    async (request) => ({ data: await listArrivals(db, request.query, now()) }),
  );
}

const subjectActions = ['dismiss', 'silence', 'suspend', 'release', 'hideAll'];
const contentActions = ['hide', 'restore', ...subjectActions];

/** @throws ApiError `invalid_fields` */
function parseDraft({ subject, version, action, category, days, reason = '' }: Body): Draft {
  const fields = new FieldParser();
  const needsReason = action !== 'dismiss';
  const parsed = needsReason
    ? fields.text('reason', reason, limits.reasonChars)
    : fields.optionalText('reason', reason, limits.reasonChars);
  const isContent = subject.kind === 'comment' || subject.kind === 'channel';
  const fitting =
    subject.kind === 'arrivals' ? ['hideAll'] : isContent ? contentActions : subjectActions;
  if (!fitting.includes(action)) fields.reject('action', 'Eso no se puede decidir sobre esto.');
  if (action === 'silence' && days === undefined)
    fields.reject('days', 'Elige cuántos días, de 1 a 365.');
  if (version !== undefined && !/^[0-9a-f-]{36}\.\d{1,10}$/.test(version))
    fields.reject('version', 'No es una versión de la cola. Recarga la página.');
  fields.done();
  const lasts = action === 'silence' || action === 'suspend';
  return {
    ...{ subject, version, action, reason: parsed },
    category: category ?? 'other',
    days: lasts ? (days ?? null) : null,
  };
}
