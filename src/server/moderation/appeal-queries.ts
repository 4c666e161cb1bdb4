import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../shared/limits.ts';
import type { OwnDecision, Subject } from '../../shared/moderation.ts';
import { findNames } from '../comments/mention-names.ts';
import { type Database, toInstant } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { FieldParser } from '../http/field-parser.ts';
import { beginning } from './beginnings.ts';
import { awaitDecisions } from './deciding-accounts.ts';
import { readSubjects, subjectKey } from './report-subjects.ts';

const appealable = ['hide', 'silence', 'suspend', 'hideAll'];

/** The newest decisions that concern an account, at most a hundred. @param decisionId selects this one only */
export async function readOwnDecisions(
  db: Database,
  accountId: string,
  nowMs: number,
  decisionId?: string,
): Promise<OwnDecision[]> {
  const rows = await db
    .selectFrom('decision_accounts as about')
    .innerJoin('decisions', 'decisions.id', 'about.decision_id')
    .leftJoin('decisions as later', 'later.id', 'about.ended_by')
    .selectAll('decisions')
    .select(['ended_by', 'appeal', 'appealed_at_ms', 'later.reason as later_reason'])
    .where('about.account_id', '=', accountId)
    .where('decisions.action', '<>', 'dismiss')
    .$if(decisionId !== undefined, (query) =>
      query.where('about.decision_id', '=', decisionId ?? ''),
    )
    .orderBy('about.decision_id', 'desc')
    .limit(limits.listItems)
    .execute();
  const answers = await readAnswers(
    db,
    accountId,
    rows.filter(({ appealed_at_ms }) => appealed_at_ms !== null).map(({ id }) => id),
  );
  const subjectOf = ({ subject_kind: kind, subject_id: id }: (typeof rows)[number]): Subject =>
    kind === 'arrivals' ? { kind: 'user', id: accountId } : { kind, id };
  const content = rows.map(subjectOf).filter(({ kind }) => kind !== 'user');
  const subjects = await readSubjects(db, content);
  const names = await findNames(
    db,
    [...subjects.values()].map(({ text }) => text),
  );
  return rows.map((row) => {
    const subject = subjectOf(row);
    const now = subjects.get(subjectKey(subject));
    const isUndone = row.undone_at_ms !== null || row.ended_by !== null;
    const answer = answers.get(row.id);
    const isGranted = answer ? answer.action !== 'dismiss' : isUndone;
    return {
      ...{ id: row.id, at: toInstant(row.at_ms), action: row.action, category: row.category },
      ...{ reason: row.reason, subject, excerpt: now ? beginning(now.text, names) : '' },
      until: row.until_ms === null ? null : toInstant(row.until_ms),
      isInForce: !isUndone && (row.until_ms === null || row.until_ms > nowMs),
      appeal:
        row.appealed_at_ms === null
          ? null
          : {
              text: row.appeal,
              at: toInstant(row.appealed_at_ms),
              state: answer?.isOpen && !isUndone ? 'open' : isGranted ? 'granted' : 'upheld',
              reason: answer ? (answer.reason ?? '') : (row.later_reason ?? ''),
            },
    };
  });
}

/** The decisions on appeals of an account, by the decisions that these are against. Cases are erased after 30 days. */
async function readAnswers(db: Database, accountId: string, decisionIds: string[]) {
  if (decisionIds.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('cases')
    .leftJoin('decisions', 'decisions.id', 'cases.decision_id')
    .select(['appeal_of', 'decision_id', 'decided_at_ms', 'action', 'reason'])
    .where('appeal_of', 'in', decisionIds)
    .where('account_id', '=', accountId)
    .execute();
  return new Map(
    rows.map(({ appeal_of, decision_id, decided_at_ms, action, reason }) => [
      appeal_of ?? '',
      // A decision that is undone answers the appeals against itself.
      { isOpen: decided_at_ms === null, action, reason: decision_id === appeal_of ? '' : reason },
    ]),
  );
}

/**
 * Appeals against a decision that concerns the account, once and while it is in force. Opens a case. The same text
 * again is answered as before.
 * @throws ApiError `decision_not_found`; `already_decided` when it is not in force, was appealed against or cannot be
 */
export async function appeal(
  { transact, now }: { transact: Transact; now: () => number },
  accountId: string,
  decisionId: string,
  rawText: string,
): Promise<OwnDecision> {
  const fields = new FieldParser();
  const text = fields.text('text', rawText, limits.reasonChars);
  fields.done();
  const nowMs = now();
  return transact(`account ${accountId}`, async (trx) => {
    await awaitDecisions(trx, accountId);
    const { numUpdatedRows } = await trx
      .updateTable('decision_accounts')
      .set({ appeal: text, appealed_at_ms: nowMs })
      .where('decision_id', '=', decisionId)
      .where('account_id', '=', accountId)
      .where('appealed_at_ms', 'is', null)
      .executeTakeFirst();
    const [decision] = await readOwnDecisions(trx, accountId, nowMs, decisionId);
    if (!decision) throw new ApiError('decision_not_found');
    if (numUpdatedRows === 0n) {
      if (decision.appeal?.text === text) return decision;
      throw new ApiError('already_decided', { detail: 'Ya la habías recurrido.' });
    }
    const { isInForce, action, subject } = decision;
    if (!isInForce) {
      throw new ApiError('already_decided', { detail: 'Esa decisión ya no está en vigor.' });
    }
    if (!appealable.includes(action)) {
      throw new ApiError('already_decided', { detail: 'Esa decisión no se puede recurrir.' });
    }
    const now = (await readSubjects(trx, [subject])).get(subjectKey(subject));
    await trx
      .insertInto('cases')
      .values({
        ...{ id: uuidv7(), subject_kind: subject.kind, subject_id: subject.id },
        ...{ account_id: accountId, appeal_of: decisionId, text: now?.text ?? '' },
        ...{ images: JSON.stringify(now?.images ?? []), revision: now?.revision ?? 0 },
        ...{ report_count: 0, opened_at_ms: nowMs, decided_at_ms: null, decision_id: null },
      })
      .execute();
    return { ...decision, appeal: { text, at: toInstant(nowMs), state: 'open', reason: '' } };
  });
}
