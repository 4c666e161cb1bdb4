import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../../shared/accounts.ts';
import type { Role } from '../../../shared/moderation.ts';
import { ignoringStorage } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Config } from '../../system/settings/config.ts';
import {
  findRestriction,
  mayRead,
  restrictionError,
  type Standing,
} from '../standing/restrictions.ts';
import { extendDevice } from './devices.ts';
import { giveReaderCookie, type ReaderServices } from './reader-cookies.ts';
import { endOfSession } from './session-times.ts';

/** How often the use of a session is recorded, after its first use. */
const recordMs = 3_600_000;

export interface Session extends Standing {
  user: User;
  id: string;
  /** The remembered browser that opened the session. */
  deviceId: string | null;
  role: Role;
}

/** The session of a request that the guard has admitted. */
interface AdmittedSession extends Session {
  token: string;
  /** Whether the account may read here: on routes for `signed in`, not all may. */
  mayRead: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `createGuard`; null for guests and on routes open to everyone. */
    session: AdmittedSession | null;
  }
}

export interface SessionServices extends ReaderServices {
  config: Pick<Config, 'sessionDays' | 'publicUrl'>;
}

/**
 * The callers that a route admits. `everyone` are members only where the community's settings say so, and
 * `always everyone` are guests even there. `writers` may publish; `readers` also include silenced accounts; `signed in`
 * includes suspended ones, which may see the decision and leave; `staff` are moderators and admins.
 */
export type Callers =
  | 'always everyone'
  | 'everyone'
  | 'guests and readers'
  | 'writers'
  | 'readers'
  | 'signed in'
  | 'staff'
  | 'admins';

/** A hook that rejects a request, or answers it itself, before the body is parsed. */
export type Gate = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Rejects requests without a valid token. Queries, so the request has to have its turn.
 * @throws ApiError `not_signed_in`, `silenced`, `suspended`; `not_found` for members on routes for moderators, to
 * conceal the routes; `staff_only`
 */
export function createGuard(
  services: SessionServices,
  callers: Exclude<Callers, 'always everyone' | 'everyone'>,
): Gate {
  const { db, config, now } = services;
  const isForStaff = callers === 'staff' || callers === 'admins';
  return async (request, reply) => {
    reply.header('cache-control', 'private, no-store');
    const { authorization } = request.headers;
    const { readers } = await services.settings();
    const isOpen = readers === 'everyone';
    if (callers === 'guests and readers' && !authorization && isOpen) return;
    const token = /^Bearer +([A-Za-z0-9_-]+) *$/i.exec(authorization ?? '')?.[1];
    const session = token && (await findAndExtendSession(db, token, now(), config.sessionDays));
    if (!token || !session) throw new ApiError('not_signed_in');
    const { role, restriction } = session;
    if (isForStaff && role === 'member') throw new ApiError('not_found');
    const isReader = mayRead(session, readers);
    const isReading = callers === 'readers' || callers === 'guests and readers';
    const isAllowed = callers === 'signed in' || (isReader && (isReading || !restriction));
    if (!isAllowed)
      throw restriction ? restrictionError(restriction) : new ApiError('not_signed_in');
    if (callers === 'admins' && role !== 'admin') {
      throw new ApiError('staff_only', { detail: 'Esto lo cambia quien administra el foro.' });
    }
    if (!isOpen) await giveReaderCookie(services, request, reply, session);
    request.session = { ...session, token, mayRead: isReader };
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
    .select(['sessions.created_at_ms', 'accounts.role', 'accounts.hidden_by'])
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
  const { role, has_decisions, hidden_by, ...user } = account;
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
  const isHidden = hidden_by !== null;
  return { user, id: session_id, deviceId: device_id, role, restriction, isHidden };
}

/** @returns the session of the token, on a route that requires one */
export function sessionOf(request: FastifyRequest): AdmittedSession {
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
