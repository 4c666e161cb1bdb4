import { sql } from 'kysely';
import { type Action, type Arrivals, grantOf, type Subject } from '../../shared/moderation.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import type { Moderator } from './audited.ts';
import type { Content } from './content.ts';
import { readDeciders } from './deciding-accounts.ts';
import { alreadyDecided } from './decision-queries.ts';
import { type Account, appealRefusalOf } from './may-decide.ts';

/** Whom and what a decision is about. */
export interface Target {
  subject: Subject | Arrivals;
  /** The case that the decision answers. */
  caseId: string | undefined;
  /** Undefined for a person and for a wave. */
  content: Content | undefined;
  accountIds: string[];
}

/**
 * Closes the reports that a decision answers: those on its subject, and for `hideAll` those on its accounts and on
 * their content; or the appeal that it answers. The rows stay locked, so that of several decisions on a case one
 * succeeds.
 * @returns the decision that the case appeals against; null for reports
 * @throws ApiError `already_decided` when the case is closed, or nothing waits for a dismissal; `staff_only` for an
 * appeal that another one decides; `invalid_fields`
 */
export async function closeCase(
  trx: Database,
  moderator: Pick<Moderator, 'callerId'>,
  { subject, caseId, accountIds }: Target,
  { id: decision_id, action, author }: { id: string; action: Action; author: Account | undefined },
  nowMs: number,
): Promise<string | null> {
  const closed = { decided_at_ms: nowMs, decision_id };
  let appealOf: string | null = null;
  let count = 0;
  if (caseId !== undefined) {
    const row = await trx
      .updateTable('cases')
      .set(closed)
      .where('id', '=', caseId)
      .where('subject_kind', '=', subject.kind as Subject['kind'])
      .where('subject_id', '=', subject.kind === 'arrivals' ? '' : subject.id)
      .where('decided_at_ms', 'is', null)
      .returning('appeal_of')
      .executeTakeFirst();
    if (!row) throw await alreadyDecided(trx, await decisionOfCase(trx, subject, caseId));
    appealOf = row.appeal_of;
    count++;
  }
  if (appealOf !== null) {
    const appealed = await trx
      .selectFrom('decisions')
      .select('action')
      .where('id', '=', appealOf)
      .executeTakeFirstOrThrow();
    // Another action could need less permission than what it would end.
    if (action !== 'dismiss' && action !== grantOf(appealed.action)) {
      const message = 'A quien recurre se le mantiene la decisión o se le retira.';
      throw new ApiError('invalid_fields', { errors: [{ field: 'action', message }] });
    }
    if (author) await requireAppealDecider(trx, moderator, { id: decision_id, author }, nowMs);
    return appealOf;
  }
  const others = await trx
    .updateTable('cases')
    .set(closed)
    .where('decided_at_ms', 'is', null)
    .where('appeal_of', 'is', null)
    .$if(action === 'hideAll', (query) => query.where('account_id', 'in', accountIds))
    .$if(action !== 'hideAll', (query) =>
      query
        .where('subject_kind', '=', subject.kind as Subject['kind'])
        .where('subject_id', '=', subject.kind === 'arrivals' ? '' : subject.id),
    )
    .executeTakeFirst();
  count += Number(others.numUpdatedRows);
  if (action === 'dismiss' && count === 0)
    throw await alreadyDecided(trx, await decisionOfCase(trx, subject, undefined));
  return null;
}

/** @throws ApiError `staff_only` when a decision answers an appeal that another one decides */
export async function requireAppealDecider(
  trx: Database,
  { callerId }: Pick<Moderator, 'callerId'>,
  { id, author }: { id: string; author: Account },
  nowMs: number,
): Promise<void> {
  const answered = await trx
    .selectFrom('cases')
    .innerJoin('decisions', 'decisions.id', 'appeal_of')
    .select(['action', 'decided_by'])
    .where('decision_id', '=', id)
    .execute();
  if (answered.length === 0) return;
  const deciders = await readDeciders(trx, nowMs);
  const caller = deciders.find((one) => one.id === callerId);
  for (const appealed of answered) {
    const detail = appealRefusalOf(caller, author, appealed, deciders);
    if (detail !== '') throw new ApiError('staff_only', { detail });
  }
}

/** Closes the appeal of an account against a decision that ends. */
export async function closeAppeals(
  trx: Database,
  { appealOf, accountId }: { appealOf: string; accountId?: string },
  decision_id: string,
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ decided_at_ms: nowMs, decision_id })
    .where('appeal_of', '=', appealOf)
    .where('decided_at_ms', 'is', null)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .execute();
}

/**
 * Opens the cases of an undone decision again, except where a newer one waits for the same, and appeals against what is
 * not in force. Call it once the decision is undone and what it had ended is in force again.
 */
export async function reopenCases(trx: Database, decisionId: string): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ decided_at_ms: null, decision_id: null })
    .where('decision_id', '=', decisionId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('cases as newer')
            .select('newer.id')
            .where('newer.decided_at_ms', 'is', null)
            .whereRef('newer.subject_kind', '=', 'cases.subject_kind')
            .whereRef('newer.subject_id', '=', 'cases.subject_id')
            .whereRef('newer.account_id', '=', 'cases.account_id')
            .where(sql<boolean>`coalesce(newer.appeal_of, '') = coalesce(cases.appeal_of, '')`),
        ),
      ),
    )
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('appeal_of', 'is', null),
        exists(
          selectFrom('decision_accounts as about')
            .innerJoin('decisions', 'decisions.id', 'about.decision_id')
            .select('decisions.id')
            .whereRef('about.decision_id', '=', 'cases.appeal_of')
            .whereRef('about.account_id', '=', 'cases.account_id')
            .where('ended_by', 'is', null)
            .where('undone_at_ms', 'is', null),
        ),
      ]),
    )
    .execute();
}

/** The decision that closed a case, or else the last one on a subject. */
async function decisionOfCase(
  trx: Database,
  subject: Subject | Arrivals,
  caseId: string | undefined,
): Promise<string | null> {
  const row = await trx
    .selectFrom('cases')
    .select('decision_id')
    .$if(caseId !== undefined, (query) => query.where('id', '=', caseId ?? ''))
    .$if(caseId === undefined, (query) =>
      query
        .where('subject_kind', '=', subject.kind as Subject['kind'])
        .where('subject_id', '=', subject.kind === 'arrivals' ? '' : subject.id)
        .where('decided_at_ms', 'is not', null),
    )
    .orderBy('decided_at_ms', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.decision_id ?? null;
}
