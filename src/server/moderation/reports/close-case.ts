import type { Subject } from '../../../shared/moderation.ts';
import type { Database } from '../../database/tables.ts';
import { isAt } from '../../forum/comments/comment-keys.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Draft } from '../decisions/decision-draft.ts';
import { alreadyDecided } from '../decisions/decision-log.ts';
import { findContent, type LockedContent, lockContent } from '../decisions/locked-content.ts';
import { caseOf } from '../decisions/make-decision.ts';

/**
 * Closes the reports on a subject, which a decision answers, and locks the subject if it is content.
 * @returns the id of their case, undefined when there were none; and the content, undefined for a person and when it no
 * longer exists
 * @throws ApiError `already_decided` when the draft's version is not that of the current case and content
 */
export async function closeCase(
  trx: Database,
  { subject, version }: Draft<Subject>,
  decision: { id: string; nowMs: number },
): Promise<{ caseId: string | undefined; content: LockedContent | undefined }> {
  const key = findContent(subject);
  const content = key && (await lockContent(trx, key));
  const open = await trx
    .updateTable('cases')
    .set({ decided_at_ms: decision.nowMs, decision_id: decision.id })
    .where('subject_kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .where('decided_at_ms', 'is', null)
    .returning('id')
    .executeTakeFirst();
  const event =
    content?.kind === 'comment'
      ? await trx
          .selectFrom('comment_events')
          .select('revision')
          .where(isAt([content.row]))
          .executeTakeFirst()
      : undefined;
  const current = caseVersion(open?.id, content?.row.revision, event);
  if (version === undefined || version === current) return { caseId: open?.id, content };
  if (caseOf(version) === open?.id) throw changedError();
  // Another decision may have closed the case, possibly one about the whole account.
  const closed = await trx
    .selectFrom('cases')
    .select('decision_id')
    .where('id', '=', caseOf(version))
    .executeTakeFirst();
  throw await alreadyDecided(trx, closed?.decision_id);
}

/** What a moderator looked at: a case, and the revisions of its content and of the dates that it carries. */
export const caseVersion = (
  caseId: string | undefined,
  revision = 0,
  event: { revision: number } | undefined,
) => [caseId, revision, ...(event ? [event.revision] : [])].join('.');

/** The error for content that changed after the moderator looked at it. */
export const changedError = () =>
  new ApiError('already_decided', {
    detail: 'Cambió mientras lo mirabas. Míralo otra vez como está ahora.',
  });

/** Replaces an undone decision with the one that undoes it, as the answer to the reports that it had closed. */
export async function answerReports(
  trx: Database,
  decisionId: string,
  answerId: string,
): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ decision_id: answerId })
    .where('decision_id', '=', decisionId)
    .execute();
}
