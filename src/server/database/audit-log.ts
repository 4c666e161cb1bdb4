import { v7 as uuidv7 } from 'uuid';
import type { Database } from './tables.ts';
import type { Announce, WithTransaction } from './transactions.ts';

export interface AuditServices {
  withTransaction: WithTransaction;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Reason given by the actor. */
  note?: string;
}

/**
 * Says that something has changed. Without it the audit log gets no entry.
 * @param subject id of the account, channel or comment
 */
type Changed = (action: string, subject: string) => void;

/**
 * Runs `change`, which makes no decision, in a transaction that ends with an entry in the audit log for each change made.
 * @param actor a moderator's account id, the operator's user name on their system, `owner` of the account that is changed,
 * or the way in that was used
 * @param lockKey see `WithTransaction`
 */
export function audited<T>(
  { withTransaction, now, note = '' }: AuditServices,
  actor: string,
  lockKey: string,
  change: (trx: Database, changed: Changed, announce: Announce) => Promise<T>,
): Promise<T> {
  return withTransaction(lockKey, async (trx, announce) => {
    const changes: { action: string; subject: string }[] = [];
    const changed: Changed = (action, subject) => changes.push({ action, subject });
    const result = await change(trx, changed, announce);
    const entries = changes.map((one) => ({ ...one, id: uuidv7(), at_ms: now(), actor, note }));
    if (entries.length > 0) await trx.insertInto('audit_log').values(entries).execute();
    return result;
  });
}

/** @returns the newest entries of `audit_log` and `decisions` together, oldest first */
export async function readAudit(db: Database, limit: number) {
  const entries = await db
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const decisions = await db
    .selectFrom('decisions')
    .leftJoin('decisions as undone', 'undone.id', 'decisions.undoes')
    .select(['decisions.id', 'decisions.at_ms', 'decisions.decided_by as actor'])
    .select(['decisions.action', 'decisions.subject_kind', 'decisions.subject_id'])
    .select(['decisions.reason as note', 'decisions.undoes', 'undone.action as undone'])
    .orderBy('decisions.id', 'desc')
    .limit(limit)
    .execute();
  const decided = decisions.map(({ action, subject_kind, subject_id, undoes, undone, ...row }) => ({
    ...row,
    action: undone ? `undo-${kebab(undone)}` : `${kebab(action)}-${subject_kind}`,
    // A decision on several accounts has no single subject.
    subject: undoes ?? (subject_id || row.id),
  }));
  return [...entries, ...decided].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(-limit);
}

/** `hideAll` becomes `hide-all`. */
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
