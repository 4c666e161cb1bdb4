import { v7 as uuidv7 } from 'uuid';
import type { Subject } from '../../../shared/moderation.ts';
import type { Moderator } from '../../accounts/actor.ts';
import type { Database } from '../../database/tables.ts';
import type { Announce } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { dayMs } from '../../system/times.ts';
import { readSubjects, subjectKey } from '../reports/report-subjects.ts';
import { type DecidingAccount, lockDeciding } from './deciding-accounts.ts';
import type { Draft } from './decision-draft.ts';
import { appendDecision } from './decision-log.ts';
import { findContent } from './locked-content.ts';

/** Applies a decision, in its transaction, which has locked the accounts concerned. */
type TakeEffect = (
  trx: Database,
  announce: Announce,
  decision: { id: string; accounts: DecidingAccount[]; nowMs: number },
) => Promise<{
  /** Id of the case, pending post or appeal that the decision answers; undefined when none was open. */
  caseId: string | undefined;
  /** Subject to log instead of the draft's. */
  subjectId?: string;
}>;

/**
 * Makes a decision: applies it and adds it to the log in one transaction. It locks accounts, then channels, each in the
 * order of their ids, as writing does.
 * @param accountIds the accounts that it concerns
 * @returns the id of the decision
 * @throws ApiError `already_decided`; errors of `lockDeciding` and `takeEffect`
 */
export async function makeDecision(
  actor: Moderator,
  { subject, action, category, reason, days }: Draft,
  accountIds: string[],
  takeEffect: TakeEffect,
): Promise<string> {
  const subjectId = subject.kind === 'users' ? '' : subject.id;
  return actor.withTransaction(`account ${actor.actorName}`, async (trx, announce) => {
    const nowMs = actor.now();
    const accounts = await lockDeciding(trx, actor, accountIds, { action });
    const id = uuidv7();
    if (action === 'suspend' || action === 'hideAll')
      for (const account of accounts) await announce({ kind: 'access', accountId: account.id });
    const taken = await takeEffect(trx, announce, { id, accounts, nowMs });
    await appendDecision(
      trx,
      {
        id,
        at_ms: nowMs,
        action,
        category,
        reason,
        undoes: null,
        subject_kind: subject.kind,
        subject_id: taken.subjectId ?? subjectId,
        decided_by: actor.actorName,
        until_ms: days === null ? null : nowMs + days * dayMs,
      },
      accounts.map((account) => ({ account_id: account.id, case_id: taken.caseId ?? id })),
    );
    return id;
  });
}

/**
 * Returns the author of content, or the person. Content that no longer exists must have been reported.
 * @throws ApiError `comment_not_found`, `channel_not_found`, `user_not_found`
 */
export async function requireAuthorOf(
  db: Database,
  { subject, version }: Pick<Draft<Subject>, 'subject' | 'version'>,
): Promise<string> {
  if (!findContent(subject)) return subject.id;
  // No lock is needed, because authors do not change.
  const found = (await readSubjects(db, [subject])).get(subjectKey(subject));
  if (found) return found.accountId;
  const reported = await db
    .selectFrom('cases')
    .select('account_id')
    .where('subject_kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .where((eb) => (version ? eb('id', '=', caseOf(version)) : eb('decided_at_ms', 'is', null)))
    .limit(1)
    .executeTakeFirst();
  if (!reported) throw new ApiError(`${subject.kind}_not_found`);
  return reported.account_id;
}

/** The id of the case in a version from the queue. */
export const caseOf = (version: string) => version.split('.')[0] ?? '';
