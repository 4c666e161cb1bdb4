import { limits } from '../../shared/limits.ts';
import type { OwnDecision, Subject } from '../../shared/moderation.ts';
import { findNames } from '../database/mention-names.ts';
import { type Database, toInstant } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { FieldParser } from '../http/field-parser.ts';
import { beginning } from './beginnings.ts';
import { openCase } from './cases.ts';
import { awaitDecisions } from './deciding-accounts.ts';
import { decisionFields } from './decision-queries.ts';
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
    // Cases are erased after 30 days.
    .leftJoin('cases', (join) =>
      join
        .onRef('cases.appeal_of', '=', 'about.decision_id')
        .onRef('cases.account_id', '=', 'about.account_id'),
    )
    .leftJoin('decisions as answer', 'answer.id', 'cases.decision_id')
    .selectAll('decisions')
    .select(['ended_by', 'appeal', 'appealed_at_ms', 'later.reason as later_reason'])
    .select(['cases.id as case_id', 'decided_at_ms', 'cases.decision_id as answer_id'])
    .select(['answer.action as answer', 'answer.reason as answer_reason'])
    .where('about.account_id', '=', accountId)
    .where('decisions.action', '<>', 'dismiss')
    .$if(decisionId !== undefined, (query) =>
      query.where('about.decision_id', '=', decisionId ?? ''),
    )
    .orderBy('about.decision_id', 'desc')
    .limit(limits.listItems)
    .execute();
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
    const isOpen = row.case_id !== null && row.decided_at_ms === null && !isUndone;
    const isGranted = row.case_id === null ? isUndone : row.answer !== 'dismiss';
    // A decision that is undone answers the appeals against itself.
    const answer = row.answer_id === row.id ? '' : row.answer_reason;
    return {
      ...decisionFields(row),
      subject,
      excerpt: now ? beginning(now.text, names) : '',
      isInForce: !isUndone && (row.until_ms === null || row.until_ms > nowMs),
      appeal:
        row.appealed_at_ms === null
          ? null
          : {
              text: row.appeal,
              at: toInstant(row.appealed_at_ms),
              state: isOpen ? 'open' : isGranted ? 'granted' : 'upheld',
              reason: (row.case_id === null ? row.later_reason : answer) ?? '',
            },
    };
  });
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
    await openCase(trx, subject, accountId, decisionId, now, nowMs);
    return { ...decision, appeal: { text, at: toInstant(nowMs), state: 'open', reason: '' } };
  });
}
