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
import { requireStaff, type SessionServices } from '../accounts/sessions/session-guard.ts';
import type { Config } from '../config/config.ts';
import type { Transact } from '../database/transactions.ts';
import { attempt } from '../failed-tasks.ts';
import type { App } from '../http/app-type.ts';
import { FieldParser } from '../http/field-parser.ts';
import { listArrivals } from './arrivals.ts';
import { moderatorOf } from './audited.ts';
import type { Draft } from './cases.ts';
import { decide } from './decide.ts';
import { requireDecision } from './decision-queries.ts';
import { undoDecision } from './undo.ts';
import { continueWaves } from './waves.ts';

interface DecisionServices extends SessionServices {
  transact: Transact;
  config: Pick<Config, 'sessionDays' | 'dataDir'>;
  stopping: AbortSignal;
}

/** How long a response waits for a wave, so that a moderator need not ask again about a short one. */
const answerMs = 300;

/** Routes of moderators to decide, to undo decisions, and to see who arrived before a wave. */
export function decisionRoutes(app: App, services: DecisionServices): void {
  const { db, now } = services;
  const staff = { tags: ['moderation'], security: [{ bearer: [] }] };
  const guarded = { onRequest: requireStaff(services), config: { budget: 'moderate' } } as const;
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

  app.post(
    apiRoutes.decisions,
    {
      ...guarded,
      schema: {
        ...staff,
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
      const draft = parseDraft(request.body);
      const moderator = moderatorOf(services, request);
      const id = await decide(moderator, draft);
      return reply.code(201).send(await answer(id));
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
      await undoDecision(moderatorOf(services, request), id);
      return answer(id);
    },
  );

  app.get(
    apiRoutes.arrivals,
    {
      ...guarded,
      config: { budget: 'personal', isCostly: true },
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

const subjectActions = ['dismiss', 'silence', 'suspend', 'release', 'hideAll', 'approve', 'reject'];
const contentActions = ['hide', 'restore', ...subjectActions];

/** @throws ApiError `invalid_fields` */
function parseDraft({ subject, version, action, category, days, reason = '' }: Body): Draft {
  const fields = new FieldParser();
  const needsReason = action !== 'dismiss' && action !== 'approve';
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
