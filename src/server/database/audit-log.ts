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

/** Appends an entry. Call it in the transaction that carries out the action. */
export async function writeAudit(db: Database, entry: AuditEntry, nowMs: number): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ note: '', ...entry, id: uuidv7(), at_ms: nowMs })
    .execute();
}

/** @returns the newest entries, oldest first */
export async function readAudit(db: Database, limit: number) {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}
