import { v7 as uuidv7 } from 'uuid';
import type { Database } from './tables.ts';

export interface AuditEntry {
  actor: string;
  action: string;
  /** Id of the account, channel or comment. */
  subject: string;
  /** Reason given by the actor. */
  note?: string;
}

/** Appends an entry for an action that is not a decision. Call it in the transaction that carries out the action. */
export async function writeAudit(db: Database, entry: AuditEntry, nowMs: number): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ note: '', ...entry, id: uuidv7(), at_ms: nowMs })
    .execute();
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
