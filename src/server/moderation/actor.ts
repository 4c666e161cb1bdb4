import type { FastifyRequest } from 'fastify';
import { callerOf } from '../accounts/sessions/session-guard.ts';
import { type AuditEntry, writeAudit } from '../database/audit-log.ts';
import type { Database } from '../database/tables.ts';
import type { Announce, WithTransaction } from '../database/transactions.ts';

/** The moderator or operator who acts, with the services required. */
export interface Actor {
  db: Database;
  withTransaction: WithTransaction;
  /** Account of a moderator; undefined for the operator. */
  callerId?: string;
  /** For the logs: the moderator's account id, or the operator's user name on their system. */
  actorName: string;
  /** Reason, for the audit log. */
  note: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** A moderator, who decides about content and people. */
export interface Moderator extends Actor {
  callerId: string;
}

/**
 * The moderator who sent a request, on a route for moderators. The note is empty, since the decision states the reason.
 */
export function actorOf<Services extends Pick<Actor, 'db' | 'withTransaction' | 'now'>>(
  services: Services,
  request: FastifyRequest,
): Services & Moderator {
  const { id } = callerOf(request);
  return { ...services, actorName: id, callerId: id, note: '' };
}

/**
 * Runs `work`, which makes no decision, and adds an entry to the audit log, in one transaction.
 * @param lockKey see `WithTransaction`
 */
export function audited<T>(
  { withTransaction, actorName, note, now }: Actor,
  { lockKey, ...action }: Pick<AuditEntry, 'action' | 'subject'> & { lockKey: string },
  work: (trx: Database, announce: Announce) => Promise<T>,
): Promise<T> {
  return withTransaction(lockKey, async (trx, announce) => {
    await writeAudit(trx, { ...action, actor: actorName, note }, now());
    return work(trx, announce);
  });
}
