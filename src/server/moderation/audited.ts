import type { FastifyRequest } from 'fastify';
import { callerOf } from '../accounts/sessions/session-guard.ts';
import { type AuditEntry, writeAudit } from '../database/audit-log.ts';
import type { Database } from '../database/tables.ts';
import type { Announce, Transact } from '../database/transactions.ts';

/** A moderator or operator who acts, and the services for it. */
export interface Moderator {
  db: Database;
  transact: Transact;
  /** Account of a moderator; undefined for the operator, who may do everything. */
  callerId?: string;
  /** User name of the operator on their system, or account of the moderator, for the logs. */
  actor: string;
  /** Reason, for the audit log. */
  note: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The moderator who sent a request, on a route for moderators. The decision itself says why. */
export function moderatorOf<Services extends Pick<Moderator, 'db' | 'transact' | 'now'>>(
  services: Services,
  request: FastifyRequest,
): Services & Moderator {
  const { id } = callerOf(request);
  return { ...services, actor: id, callerId: id, note: '' };
}

/**
 * Runs `work`, which makes no decision, and an entry in the audit log in one transaction.
 * @param row that `work` contends for: see `Transact`
 */
export function audited<T>(
  { transact, actor, note, now }: Moderator,
  { row, ...action }: Pick<AuditEntry, 'action' | 'subject'> & { row: string },
  work: (trx: Database, announce: Announce) => Promise<T>,
): Promise<T> {
  return transact(row, async (trx, announce) => {
    await writeAudit(trx, { ...action, actor, note }, now());
    return work(trx, announce);
  });
}
