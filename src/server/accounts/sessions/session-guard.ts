import { hash } from 'node:crypto';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { User } from '../../../shared/accounts.ts';
import type { Role } from '../../../shared/moderation.ts';
import { classifyStorageError, DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Config } from '../../system/settings/config.ts';
import { findRestriction, type Restriction, restrictionError } from '../standing/restrictions.ts';
import { extendDevice } from './devices.ts';
import { endOfSession } from './session-times.ts';

/** How often the use of a session is recorded, after its first use. */
const recordMs = 3_600_000;

export interface Session {
  user: User;
  id: string;
  /** The remembered browser that opened the session. */
  deviceId: string | null;
  role: Role;
  /** Undefined while no decision restricts the account. */
  restriction: Restriction | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `createGuard`; null for guests and on routes open to everyone. */
    session: (Session & { token: string }) | null;
  }
}

export interface SessionServices {
  db: Database;
  config: Pick<Config, 'sessionDays'>;
  now: () => number;
}

/**
 * The callers that a route admits. `writers` may publish; `readers` also include silenced accounts; `signed in`
 * includes suspended ones, which may see the decision and leave; `staff` are moderators and admins.
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
 * @throws ApiError `not_signed_in`, `silenced`, `suspended`; `not_found` for members on routes for moderators, to
 * conceal the routes; `staff_only`
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

/**
 * Finds the session of a token and records its use, which extends it. Uses are recorded once an hour, except the first,
 * which is recorded at once so that `findSurplus` can tell the session from unused ones.
 * @returns undefined when the token is unknown, ended or expired
 */
export async function findAndExtendSession(
  db: Database,
  token: string,
  nowMs: number,
  sessionDays: number,
): Promise<Session | undefined> {
  const tokenHash = hash('sha256', token, 'base64url');
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'accounts.img'])
    .select(['sessions.id as session_id', 'device_id', 'last_used_at_ms', 'expires_at_ms'])
    .select(['sessions.created_at_ms', 'accounts.role'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('decision_accounts')
          .select('decision_id')
          .whereRef('decision_accounts.account_id', '=', 'accounts.id'),
      ).as('has_decisions'),
    )
    .where('token_hash', '=', tokenHash)
    .where('accounts.disabled_at_ms', 'is', null)
    .where('accounts.erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (!row || row.expires_at_ms <= nowMs) return undefined;
  const { session_id, device_id, last_used_at_ms, expires_at_ms, created_at_ms, ...account } = row;
  const { role, has_decisions, ...user } = account;
  const isFirst = last_used_at_ms === created_at_ms;
  if (nowMs - last_used_at_ms >= recordMs || isFirst) {
    const used = {
      last_used_at_ms: nowMs,
      expires_at_ms: endOfSession(created_at_ms, nowMs, sessionDays),
    };
    await ignoringStorage(async () => {
      await db.updateTable('sessions').set(used).where('token_hash', '=', tokenHash).execute();
      if (device_id !== null) await extendDevice(db, device_id, nowMs);
    });
  }
  const restriction = has_decisions ? await findRestriction(db, user.id, nowMs) : undefined;
  return { user, id: session_id, deviceId: device_id, role, restriction };
}

/** Ignores a failed write, so that reading works with a full or read-only disk. The next use retries. */
async function ignoringStorage(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable || classifyStorageError(error))) throw error;
  }
}

/** @returns the session of the token, on a route that requires one */
export function sessionOf(request: FastifyRequest): Session {
  if (!request.session) throw new Error('this route may be called without a session');
  return request.session;
}

/** @returns the account of the token, on a route that requires one */
export function callerOf(request: FastifyRequest): User {
  return sessionOf(request).user;
}

/** @throws ApiError `not_yours` when the body names a different account from the token's */
export function refuseOtherId(caller: User, claimedId: string | undefined): void {
  if (claimedId !== undefined && claimedId !== caller.id) throw new ApiError('not_yours');
}
