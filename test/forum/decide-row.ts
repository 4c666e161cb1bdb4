import { v7 as uuidv7 } from 'uuid';
import type { DecisionAction } from '../../src/shared/moderation.ts';
import type { Forum } from './forum.ts';

/** Stores a decision as `POST /api/moderation/decisions` does, without its effects. @returns its id */
export async function decideRow(
  { services: { db, now } }: Forum,
  {
    action,
    receipt,
    accountId,
    ...more
  }: {
    action: DecisionAction;
    /** Receipt of a report on the case that is decided. */
    receipt?: string;
    /** Account that the decision concerns. */
    accountId?: string;
    subject_kind?: 'comment' | 'channel' | 'user' | 'users';
    subject_id?: string;
    decided_by?: string;
    reason?: string;
    until_ms?: number;
    undoes?: string;
  },
): Promise<string> {
  const id = uuidv7();
  const at_ms = now();
  await db
    .insertInto('decisions')
    .values({
      id,
      at_ms,
      action,
      category: 'other',
      reason: 'Porque sí',
      subject_kind: 'user',
      subject_id: accountId ?? '',
      decided_by: 'operator',
      until_ms: null,
      undoes: null,
      ...more,
    })
    .execute();
  if (accountId) {
    await db
      .insertInto('decision_accounts')
      .values({ decision_id: id, account_id: accountId, case_id: null })
      .execute();
  }
  if (receipt) {
    const { case_id } = await db
      .selectFrom('reports')
      .select('case_id')
      .where('receipt', '=', receipt)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('cases')
      .set({ decided_at_ms: at_ms, decision_id: id })
      .where('id', '=', case_id)
      .execute();
  }
  return id;
}
