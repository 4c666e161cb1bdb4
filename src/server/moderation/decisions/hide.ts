import type { Subject } from '../../../shared/moderation.ts';
import type { Moderator } from '../../accounts/actor.ts';
import { endApproval } from '../../accounts/standing/approval.ts';
import { ApiError } from '../../http/api-error.ts';
import { closeCase } from '../reports/close-case.ts';
import type { Draft } from './decision-draft.ts';
import { alreadyDecided } from './decision-log.ts';
import { setHidden } from './locked-content.ts';
import { makeDecision, requireAuthorOf } from './make-decision.ts';

/** Hides a comment or a channel. @throws ApiError `comment_not_found`, `channel_not_found`; errors of `makeDecision` */
export async function hide(actor: Moderator, draft: Draft<Subject>): Promise<string> {
  const author = await requireAuthorOf(actor.db, draft);
  return makeDecision(actor, draft, [author], async (trx, announce, decision) => {
    const { caseId, content } = await closeCase(trx, draft, decision);
    if (!content) throw new ApiError(`${draft.subject.kind}_not_found`);
    if (content.row.hidden_by !== null) throw await alreadyDecided(trx, content.row.hidden_by);
    await setHidden(trx, announce, content, decision.id);
    await endApproval(trx, announce, author);
    return { caseId };
  });
}
