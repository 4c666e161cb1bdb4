import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { User } from '../../../shared/accounts.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { restrictionError } from '../restrictions.ts';
import { findAndExtendSession, type Session } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `createGuard`; null on routes that everyone may call, and for guests. */
    session: (Session & { token: string }) | null;
  }
}

export interface SessionServices {
  db: Database;
  config: Pick<Config, 'sessionDays'>;
  now: () => number;
}

/**
 * Who may call a route: those who may write; those who may read besides; everyone with a session, for what suspended
 * people need to see what was decided and to leave; those who moderate; those of them who administer.
 */
export type Callers =
  | 'everyone'
  | 'guests and readers'
  | 'writers'
  | 'readers'
  | 'signed in'
  | 'staff'
  | 'admins';

/**
 * Rejects requests without a valid token, before the body is read.
 * @throws ApiError `not_signed_in`, `silenced`, `suspended`; `not_found` for members, who cannot know of routes for
 * moderators; `staff_only`
 */
export function createGuard(
  { db, config, now }: SessionServices,
  callers: Exclude<Callers, 'everyone'>,
): onRequestAsyncHookHandler {
  const isForStaff = callers === 'staff' || callers === 'admins';
  return async (request, reply) => {
    reply.header('cache-control', 'private, no-store');
    const { authorization } = request.headers;
    if (callers === 'guests and readers' && !authorization) return;
    const token = /^Bearer +([A-Za-z0-9_-]+) *$/i.exec(authorization ?? '')?.[1];
    const session = token && (await findAndExtendSession(db, token, now(), config.sessionDays));
    if (!token || !session) throw new ApiError('not_signed_in');
    const { role, restriction } = session;
    if (isForStaff && role === 'member') throw new ApiError('not_found');
    const isReading = callers === 'readers' || callers === 'guests and readers';
    const isAllowed = callers === 'signed in' || (isReading && restriction?.code === 'silenced');
    if (restriction && !isAllowed) throw restrictionError(restriction);
    if (callers === 'admins' && role !== 'admin') {
      throw new ApiError('staff_only', { detail: 'Esto lo cambia quien administra el foro.' });
    }
    request.session = { ...session, token };
  };
}

/** @returns the session of the token, on a route that takes one */
export function sessionOf(request: FastifyRequest): Session {
  if (!request.session) throw new Error('this route may be called without a session');
  return request.session;
}

/** @returns the account of the token, on a route that takes one */
export function callerOf(request: FastifyRequest): User {
  return sessionOf(request).user;
}

/** @throws ApiError `not_yours` when the body names another account than the token's */
export function refuseOtherId(caller: User, claimedId: string | undefined): void {
  if (claimedId !== undefined && claimedId !== caller.id) throw new ApiError('not_yours');
}
