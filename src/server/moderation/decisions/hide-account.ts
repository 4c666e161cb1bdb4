import { type SqlBool, sql } from 'kysely';
import type { Subject, Users } from '../../../shared/moderation.ts';
import type { Moderator } from '../../accounts/actor.ts';
import { refuse } from '../../accounts/standing/admission.ts';
import type { Database } from '../../database/tables.ts';
import type { Announce } from '../../database/transactions.ts';
import { newestAt } from '../../forum/comments/stored-comments.ts';
import { uuid } from '../../forum/cursors.ts';
import { storeCountsOf } from '../../forum/events/event-rows.ts';
import { ApiError } from '../../http/api-error.ts';
import { closeCase } from '../reports/close-case.ts';
import type { Draft } from './decision-draft.ts';
import { alreadyDecided } from './decision-log.ts';
import { makeDecision, requireAuthorOf } from './make-decision.ts';

/**
 * Hides one or more accounts with everything they wrote, and answers the reports on them and their content. Their
 * pending posts appear in no queue while the accounts are hidden.
 * @throws ApiError `user_not_found`; `already_decided` when all of them are hidden; errors of `makeDecision`
 */
export async function hideAccount(
  actor: Moderator,
  draft: Draft<Subject | Users>,
): Promise<string> {
  const { subject } = draft;
  const accountIds =
    subject.kind === 'users'
      ? [...new Set(subject.ids.filter((id) => uuid.test(id)))]
      : [await requireAuthorOf(actor.db, { ...draft, subject })];
  if (accountIds.length === 0) throw new ApiError('user_not_found');
  return makeDecision(actor, draft, accountIds, async (trx, announce, decision) => {
    const ids = decision.accounts.map(({ id }) => id);
    const hidden = decision.accounts.filter(({ hidden_by }) => hidden_by !== null);
    if (hidden.length === ids.length) throw await alreadyDecided(trx, hidden[0]?.hidden_by);
    const visible = decision.accounts.filter(({ hidden_by }) => hidden_by === null);
    const shown = visible.map(({ id }) => id);
    await setHiddenBy(trx, announce, shown, decision.id);
    // `closeCase` may lock a channel again, which was locked above with others in the order of their ids.
    const { caseId } =
      subject.kind === 'users'
        ? { caseId: undefined }
        : await closeCase(trx, { ...draft, subject }, decision);
    await trx
      .updateTable('cases')
      .set({ decided_at_ms: decision.nowMs, decision_id: decision.id })
      .where('account_id', 'in', ids)
      .where('decided_at_ms', 'is', null)
      .execute();
    await refuse(trx, decision.id, ids, decision.nowMs);
    return { caseId };
  });
}

/**
 * Hides or shows accounts with locked rows and everything they wrote: adjusts the counts of the channels concerned, and
 * makes their readers fetch them again.
 * @param ids accounts that are all visible, or all hidden
 * @param decisionId null shows them
 */
export async function setHiddenBy(
  trx: Database,
  announce: Announce,
  ids: string[],
  decisionId: string | null,
): Promise<void> {
  const [first] = ids;
  if (first === undefined) return;
  const channelIds = await lockChannelsOf(trx, ids);
  await trx.updateTable('accounts').set({ hidden_by: decisionId }).where('id', 'in', ids).execute();
  const sign = decisionId === null ? 1 : -1;
  // One account after the other: PostgreSQL cancels a statement that takes too long, as for all channels of a raid.
  // Comments that are themselves hidden or deleted are in no count.
  for (const id of ids)
    await sql`
      update channels
      set comment_count = comment_count + ${sign} * changed.count, active_at_ms = ${newestAt}
      from (
        select channel_id, count(*) as count from comments
        where account_id = ${id} and deleted_at_ms is null and hidden_by is null
        group by channel_id
      ) as changed
      where channels.id = changed.channel_id
    `.execute(trx);
  for (const id of ids) await storeCountsOf(trx, id);
  for (const channelId of channelIds) await announce({ kind: 'channel', channelId });
  // Caches drop everything, since an account's name may appear on any page.
  await announce({ kind: 'profile', accountId: first });
}

/** Locks the accounts' channels, and those where they wrote, gave thanks or answered, in the order of their ids. */
async function lockChannelsOf(trx: Database, accountIds: string[]): Promise<string[]> {
  const ids = sql.join(accountIds);
  // A subquery, because a raid may have opened more channels than a statement may have parameters.
  const concerned = sql<SqlBool>`id in (
    select id from channels where account_id in (${ids})
    union select channel_id from comments where account_id in (${ids})
    union select channel_id from comment_thanks where account_id in (${ids})
    union select channel_id from event_rsvps where account_id in (${ids}))`;
  const channels = await trx
    .selectFrom('channels')
    .select('id')
    .where(concerned)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return channels.map(({ id }) => id);
}
