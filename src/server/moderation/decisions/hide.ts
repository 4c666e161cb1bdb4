import type { Subject } from '../../../shared/moderation.ts';
import { endApproval } from '../../accounts/standing/shown-accounts.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Actor } from '../audited.ts';
import { closeCase } from '../reports/reports-case.ts';
import { setHidden } from './content.ts';
import { alreadyDecided } from './decision-log.ts';
import type { Draft } from './draft.ts';
import { makeDecision, requireAuthorOf } from './make-decision.ts';

/** Hides a comment or a channel. @throws ApiError `comment_not_found`, `channel_not_found`; errors of `makeDecision` */
export async function hide(moderator: Actor, draft: Draft<Subject>): Promise<string> {
  const author = await requireAuthorOf(moderator.db, draft);
  return makeDecision(moderator, draft, [author], async (trx, announce, decision) => {
    const { caseId, content } = await closeCase(trx, draft, decision);
    if (!content) throw new ApiError(`${draft.subject.kind}_not_found`);
    if (content.row.hidden_by !== null) throw await alreadyDecided(trx, content.row.hidden_by);
    await setHidden(trx, announce, content, decision.id);
    await endApproval(trx, announce, author);
    return { caseId };
  });
}
