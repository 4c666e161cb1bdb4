import type { Selectable } from 'kysely';
import { findRestriction } from '../../accounts/standing/restrictions.ts';
import type { Database, Tables } from '../../database/tables.ts';

/**
 * The news of which an account is told outside the pages: all, if it can sign in and read. One that is hidden, suspended
 * or was refused is told of decisions only; one that is about to be erased, or that the operator disabled, of nothing.
 * Silenced accounts can read.
 */
export async function toldNews(
  db: Database,
  account: Pick<
    Selectable<Tables['accounts']>,
    'id' | 'hidden_by' | 'disabled_at_ms' | 'deletion_requested_at_ms' | 'admission'
  >,
  nowMs: number,
): Promise<'all' | 'decisions' | undefined> {
  const { id, hidden_by, disabled_at_ms, deletion_requested_at_ms, admission } = account;
  if (deletion_requested_at_ms !== null) return undefined;
  if (admission === 'refused') return 'decisions';
  if (disabled_at_ms !== null) return undefined;
  const isSuspended = (await findRestriction(db, id, nowMs))?.code === 'suspended';
  return hidden_by !== null || isSuspended ? 'decisions' : 'all';
}
