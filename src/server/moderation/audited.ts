import { type AuditEntry, writeAudit } from '../database/audit-log.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import type { Change, LiveBus } from '../live/bus/live-bus.ts';
import { OperatorError } from '../operator-error.ts';

/** A command of an administrator that cannot be carried out; nothing was changed. */
export class AdminError extends OperatorError {}

/** An administrator's name and reason, and the services for a command. */
export interface Admin {
  db: Database;
  transact: Transact;
  live: Pick<LiveBus, 'announce' | 'publish'>;
  /** Name for the audit log. */
  actor: string;
  /** Reason, for the audit log. */
  note: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * Runs `work` and an entry in the audit log in one transaction.
 * @param row that `work` contends for: see `Transact`
 * @param change visible to visitors: announced in the transaction, published after it
 */
export async function audited<T>(
  { transact, live, actor, note, now }: Admin,
  { row, ...action }: Pick<AuditEntry, 'action' | 'subject'> & { row: string },
  work: (trx: Database) => Promise<T>,
  change?: Change,
): Promise<T> {
  const result = await transact(row, async (trx) => {
    // Write first: an SQLite transaction that begins with a read cannot always write later.
    await writeAudit(trx, { ...action, actor, note }, now());
    const result = await work(trx);
    if (change) await live.announce(trx, change);
    return result;
  });
  if (change) live.publish(change);
  return result;
}
