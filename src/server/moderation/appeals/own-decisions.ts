import { limits } from '../../../shared/limits.ts';
import type { OwnDecision } from '../../../shared/moderation.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { findNames } from '../../texts/mention-names.ts';
import { beginning } from '../../texts/text-beginnings.ts';
import { decisionFields, subjectFor } from '../decisions/decision-log.ts';
import { readSubjects, subjectKey } from '../reports/report-subjects.ts';

/** The newest decisions that concern an account, at most a hundred. @param decisionId selects only this one */
export async function readOwnDecisions(
  db: Database,
  accountId: string,
  nowMs: number,
  decisionId?: string,
): Promise<OwnDecision[]> {
  const rows = await db
    .selectFrom('decision_accounts as about')
    .innerJoin('decisions', 'decisions.id', 'about.decision_id')
    .leftJoin('decisions as later', 'later.undoes', 'decisions.id')
    .leftJoin('appeals', (join) =>
      join
        .onRef('appeals.decision_id', '=', 'about.decision_id')
        .onRef('appeals.account_id', '=', 'about.account_id'),
    )
    .leftJoin('decisions as answer', 'answer.id', 'appeals.answer')
    .selectAll('decisions')
    .select(['later.id as later_id', 'appeals.text as appeal', 'appeals.at_ms as appealed_at_ms'])
    .select(['answer.id as answer_id', 'answer.action as answer', 'answer.reason as answer_reason'])
    .where('about.account_id', '=', accountId)
    .where('decisions.action', '<>', 'dismiss')
    .$if(decisionId !== undefined, (query) =>
      query.where('about.decision_id', '=', decisionId ?? ''),
    )
    .orderBy('decisions.id', 'desc')
    .limit(limits.listItems)
    .execute();
  const subjectOf = (row: (typeof rows)[number]) => subjectFor(row, accountId);
  const content = rows.map(subjectOf).filter(({ kind }) => kind !== 'user');
  const subjects = await readSubjects(db, content);
  const names = await findNames(
    db,
    [...subjects.values()].map(({ text }) => text),
  );
  return rows.map((row) => {
    const subject = subjectOf(row);
    const now = subjects.get(subjectKey(subject));
    return {
      ...decisionFields(row),
      subject,
      excerpt: now ? beginning(now.text, names) : '',
      isInForce: row.later_id === null && (row.until_ms === null || row.until_ms > nowMs),
      appeal:
        row.appealed_at_ms === null
          ? null
          : {
              text: row.appeal ?? '',
              at: toInstant(row.appealed_at_ms),
              state: row.answer === null ? 'open' : row.answer === 'undo' ? 'granted' : 'upheld',
              reason: row.answer_reason ?? '',
              answerId: row.answer_id,
            },
    };
  });
}
