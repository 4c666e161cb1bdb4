import { type ExpressionBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { grantOf, type Subject } from '../../shared/moderation.ts';
import { readDeciders } from '../accounts/staff.ts';
import type { Database, Tables } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { FieldParser } from '../http/field-parser.ts';
import type { DecidingAccount } from './deciding-accounts.ts';
import { alreadyDecided } from './decision-queries.ts';
import type { Draft } from './draft.ts';
import { appealRefusalOf } from './may-decide.ts';
import type { SubjectNow } from './report-subjects.ts';

/** A decision in its transaction, which has locked the accounts that it concerns. */
export interface Step {
  trx: Database;
  announce: Announce;
  /** Null for the operator. */
  callerId: string | null;
  /** The id of the decision. */
  id: string;
  draft: Draft;
  /** The subject as it is stored. */
  subjectId: string;
  concerned: DecidingAccount[];
  /** The ids of the accounts that the decision concerns. */
  accountIds: string[];
  nowMs: number;
}

/**
 * Opens a case of an account, or finds the open one on the same, whose row is locked until the transaction ends.
 * @param appealOf the decision that the account appeals against; null for reports
 * @param found the subject as it is now; undefined when it does not exist any more
 */
export function openCase(
  trx: Database,
  { kind, id }: Subject,
  account_id: string,
  appealOf: string | null,
  found: SubjectNow | undefined,
  nowMs: number,
) {
  return trx
    .insertInto('cases')
    .values({
      ...{ id: uuidv7(), subject_kind: kind, subject_id: id, account_id, appeal_of: appealOf },
      ...{ text: found?.text ?? '', images: JSON.stringify(found?.images ?? []) },
      ...{ revision: found?.revision ?? 0, report_count: 0 },
      ...{ opened_at_ms: nowMs, decided_at_ms: null, decision_id: null },
    })
    .onConflict((conflict) =>
      conflict
        .expression(sql`subject_kind, subject_id, coalesce(appeal_of, ''), account_id`)
        .where('decided_at_ms', 'is', null)
        .doUpdateSet((eb) => ({ report_count: eb.ref('cases.report_count') })),
    )
    .returning(['id', 'revision', 'report_count'])
    .executeTakeFirstOrThrow();
}

/**
 * Closes the reports that a decision answers: those on its subject, and for `hideAll` those on its accounts and on
 * their content; or the appeal that it answers. The rows stay locked, so that of several decisions on a case one
 * succeeds.
 * @returns the decision that the case appeals against; null for reports
 * @throws ApiError `already_decided` when the case is closed, or nothing waits for a dismissal; `staff_only` for an
 * appeal that another one decides; `invalid_fields`
 */
export async function closeCase(step: Step): Promise<string | null> {
  const { trx, id, draft, subjectId, accountIds, nowMs } = step;
  const { action, version } = draft;
  const subject_kind = draft.subject.kind as Subject['kind'];
  const isAbout = (eb: ExpressionBuilder<Tables, 'cases'>) =>
    eb.and({ subject_kind, subject_id: subjectId });
  const isMeant = (eb: ExpressionBuilder<Tables, 'cases'>) =>
    version === undefined ? isAbout(eb) : isAbout(eb).and('id', '=', version.split('.')[0] ?? '');
  const open = trx
    .updateTable('cases')
    .set({ decided_at_ms: nowMs, decision_id: id })
    .where('decided_at_ms', 'is', null);
  const decidedBefore = async () => {
    const decided = trx
      .selectFrom('cases')
      .select('decision_id')
      .where(isMeant)
      .where('decided_at_ms', 'is not', null)
      .orderBy('decided_at_ms', 'desc')
      .limit(1);
    return alreadyDecided(trx, (await decided.executeTakeFirst())?.decision_id);
  };
  if (version !== undefined) {
    const row = await open.where(isMeant).returning('appeal_of').executeTakeFirst();
    if (!row) throw await decidedBefore();
    if (row.appeal_of !== null) {
      await requireAnswer(step, row.appeal_of);
      return row.appeal_of;
    }
  }
  const others = await open
    .where('appeal_of', 'is', null)
    .where((eb) => (action === 'hideAll' ? eb('account_id', 'in', accountIds) : isAbout(eb)))
    .executeTakeFirst();
  if (action === 'dismiss' && version === undefined && others.numUpdatedRows === 0n)
    throw await decidedBefore();
  return null;
}

/** @throws ApiError `invalid_fields` for what does not answer an appeal, or says no reason; `staff_only` when another one answers it */
async function requireAnswer(
  { trx, callerId, draft, concerned: [author], nowMs }: Step,
  appealOf: string,
): Promise<void> {
  const appealed = await trx
    .selectFrom('decisions')
    .select(['action', 'decided_by'])
    .where('id', '=', appealOf)
    .executeTakeFirstOrThrow();
  const fields = new FieldParser();
  // Another action could need less permission than what it would end.
  if (draft.action !== 'dismiss' && draft.action !== grantOf(appealed.action))
    fields.reject('action', 'A quien recurre se le mantiene la decisión o se le retira.');
  if (draft.reason === '') fields.reject('reason', 'Escribe el motivo: lo lee quien recurrió.');
  fields.done();
  const deciders = await readDeciders(trx, nowMs);
  // One whose account is about to be erased is not among them, and is no operator.
  const role = deciders.find(({ id }) => id === callerId)?.role ?? 'moderator';
  const caller = callerId === null ? undefined : { id: callerId, role };
  const detail = author ? appealRefusalOf(caller, author, appealed, deciders) : '';
  if (detail !== '') throw new ApiError('staff_only', { detail });
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

/** Opens the reports again that an undone decision had closed, except where newer ones on the same wait. */
export async function reopenCases(trx: Database, decisionId: string): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ decided_at_ms: null, decision_id: null })
    .where('decision_id', '=', decisionId)
    .where('appeal_of', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('cases as newer')
            .select('newer.id')
            .where('newer.decided_at_ms', 'is', null)
            .whereRef('newer.subject_kind', '=', 'cases.subject_kind')
            .whereRef('newer.subject_id', '=', 'cases.subject_id')
            .whereRef('newer.account_id', '=', 'cases.account_id')
            .where('newer.appeal_of', 'is', null),
        ),
      ),
    )
    .execute();
}
