import { limits } from '../../../shared/limits.ts';
import type { DecisionAction, OwnReport, ReportState } from '../../../shared/moderation.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';

/** @throws ApiError `report_not_found`, also 30 days after the decision */
export async function readReport(db: Database, receipt: string): Promise<ReportState> {
  const row = await reportsWithDecisions(db).where('receipt', '=', receipt).executeTakeFirst();
  if (!row) throw new ApiError('report_not_found');
  return stateOf(row);
}

/** The newest reports by an account that are still stored, at most a hundred. */
export async function readOwnReports(db: Database, accountId: string): Promise<OwnReport[]> {
  const rows = await reportsWithDecisions(db)
    .select(['receipt', 'cases.subject_kind as kind', 'cases.subject_id as id'])
    .select(['reports.reason', 'reports.text', 'created_at_ms'])
    .where('reports.account_id', '=', accountId)
    .orderBy('reports.id', 'desc')
    .limit(limits.listItems)
    .execute();
  return rows.map(({ decided_at_ms, action, created_at_ms, ...report }) => ({
    ...report,
    createdAt: toInstant(created_at_ms),
    ...stateOf({ decided_at_ms, action }),
  }));
}

const reportsWithDecisions = (db: Database) =>
  db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'reports.case_id')
    .leftJoin('decisions', 'decisions.id', 'cases.decision_id')
    .select(['decided_at_ms', 'action']);

function stateOf({
  decided_at_ms,
  action,
}: {
  decided_at_ms: number | null;
  action: DecisionAction | null;
}): ReportState {
  if (decided_at_ms === null) return { state: 'open' };
  return { state: 'decided', ...(action && { outcome: action }) };
}
