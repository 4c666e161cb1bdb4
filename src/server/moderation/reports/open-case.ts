import { v7 as uuidv7 } from 'uuid';
import type { CommentImage } from '../../../shared/comments.ts';
import type { Subject } from '../../../shared/moderation.ts';
import type { StoredText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';

/**
 * Opens a case without reports about content of an account, or finds the open case about it. Locks the row of the case
 * until the transaction ends.
 * @param isIllegal moves the case before those that nobody reported as illegal
 */
export function openCase(
  trx: Database,
  { kind, id }: Subject,
  account_id: string,
  { text, images, revision }: { text: StoredText; images: CommentImage[]; revision: number },
  nowMs: number,
  isIllegal = false,
) {
  return trx
    .insertInto('cases')
    .values({
      ...{ id: uuidv7(), subject_kind: kind, subject_id: id, account_id },
      ...{ text, images: JSON.stringify(images) },
      ...{ revision, rank: isIllegal ? 0 : 1, report_count: 0 },
      ...{ opened_at_ms: nowMs, decided_at_ms: null, decision_id: null },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['subject_kind', 'subject_id', 'account_id'])
        .where('decided_at_ms', 'is', null)
        .doUpdateSet((eb) => ({ rank: isIllegal ? 0 : eb.ref('cases.rank') })),
    )
    .returning(['id', 'revision', 'report_count'])
    .executeTakeFirstOrThrow();
}
