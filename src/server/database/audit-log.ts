import { v7 as uuidv7 } from 'uuid';
import type { Database } from './tables.ts';

export interface AuditEntry {
  actor: string;
  action: string;
  /** Id of what it was done to. */
  subject: string;
  /** Why, in the actor's own words. */
  note?: string;
}

/** Notes an action, within the transaction that carries it out. */
export async function writeAudit(db: Database, entry: AuditEntry, nowMs: number): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ note: '', ...entry, id: uuidv7(), at_ms: nowMs })
    .execute();
}

/** The newest entries, the latest last. */
export async function readAudit(db: Database, limit: number) {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}
