import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { User } from '../../../shared/accounts.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
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

/** Rejects requests without a valid token, before the body is read. @throws ApiError `not_signed_in` */
export function requireSession({ db, config, now }: SessionServices): onRequestAsyncHookHandler {
  return async (request, reply) => {
    reply.header('cache-control', 'private, no-store');
    const token = /^Bearer +([A-Za-z0-9_-]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const session = token && (await findAndExtendSession(db, token, now(), config.sessionDays));
    if (!token || !session) throw new ApiError('not_signed_in');
    request.session = { ...session, token };
  };
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
