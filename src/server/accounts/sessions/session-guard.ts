import type { FastifyRequest, FastifySchema, onRequestAsyncHookHandler } from 'fastify';
import type { User } from '../../../shared/accounts.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Budget } from '../../overload/rate-limits.ts';
import { restrictionError } from '../restrictions.ts';
import { findAndExtendSession, type Session } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireSession`; null on routes without it. */
    session: (Session & { token: string }) | null;
  }
}

export interface SessionServices {
  db: Database;
  config: Pick<Config, 'sessionDays'>;
  now: () => number;
}

/**
 * Rejects requests without a valid token, before the body is read.
 * @param callers whom a route is for: those who may write, those who may read besides (the default), or everyone with
 * a session, for what suspended people need to see what was decided and to leave
 * @throws ApiError `not_signed_in`, `silenced`, `suspended`
 */
export function requireSession(
  { db, config, now }: SessionServices,
  callers: 'writers' | 'readers' | 'everyone' = 'readers',
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    reply.header('cache-control', 'private, no-store');
    const token = /^Bearer +([A-Za-z0-9_-]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const session = token && (await findAndExtendSession(db, token, now(), config.sessionDays));
    if (!token || !session) throw new ApiError('not_signed_in');
    const { restriction } = session;
    const isAllowed =
      callers === 'everyone' || (callers === 'readers' && restriction?.code === 'silenced');
    if (restriction && !isAllowed) throw restrictionError(restriction);
    request.session = { ...session, token };
  };
}

/** As `requireSession`, for moderators. @throws ApiError `not_found` for members, who cannot know of the route */
export function requireStaff(services: SessionServices): onRequestAsyncHookHandler {
  const guard = requireSession(services, 'everyone');
  return async function (request, reply) {
    await guard.call(this, request, reply);
    const { role, restriction } = sessionOf(request);
    if (role === 'member') throw new ApiError('not_found');
    if (restriction) throw restrictionError(restriction);
  };
}

/**
 * Makes the options of routes that take a token: their budget, and what the API description says of them.
 * @param guard `requireSession` or `requireStaff`
 */
export function bearerOptions(guard: onRequestAsyncHookHandler, tag: string) {
  return <Schema extends FastifySchema>(
    budget: Budget | { budget: Budget; isCostly: true },
    schema: Schema,
  ) => ({
    onRequest: guard,
    config: typeof budget === 'string' ? { budget } : budget,
    schema: { tags: [tag], security: [{ bearer: [] }], ...schema },
  });
}

/** @returns the session of the token, on a route with `requireSession` */
export function sessionOf(request: FastifyRequest): Session {
  if (!request.session) throw new Error('this route lacks requireSession');
  return request.session;
}

/** @returns the account of the token, on a route with `requireSession` */
export function callerOf(request: FastifyRequest): User {
  return sessionOf(request).user;
}

/** @throws ApiError `not_yours` when the body names another account than the token's */
export function refuseOtherId(caller: User, claimedId: string | undefined): void {
  if (claimedId !== undefined && claimedId !== caller.id) throw new ApiError('not_yours');
}
