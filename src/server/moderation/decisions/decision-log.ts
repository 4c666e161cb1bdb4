import type { Insertable, Selectable } from 'kysely';
import type { Decision, DecisionSubject, Subject } from '../../../shared/moderation.ts';
import { type Database, type Tables, toInstant } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { tellDecision } from '../../notifications/write-notifications.ts';

/**
 * Adds a decision to the log, and tells the accounts of it.
 * @param accounts the accounts that it concerns, each with the case that it decides
 * @throws ApiError `already_decided` with the earlier decision when a case was already decided
 */
export async function appendDecision(
  trx: Database,
  decision: Insertable<Tables['decisions']>,
  accounts: { account_id: string; case_id: string | null }[],
): Promise<void> {
  await trx.insertInto('decisions').values(decision).execute();
  const inserted = await trx
    .insertInto('decision_accounts')
    .values(accounts.map((account) => ({ ...account, decision_id: decision.id })))
    .onConflict((conflict) => conflict.columns(['case_id', 'account_id']).doNothing())
    .returning('account_id')
    .execute();
  if (inserted.length === accounts.length) return tellDecision(trx, decision);
  const cases = accounts.flatMap(({ case_id }) => case_id ?? []);
  throw await alreadyDecided(trx, await findDecisionOf(trx, cases, decision.id));
}

/** Finds the last decision on these cases or pending posts. @param except id of a decision to ignore */
export async function findDecisionOf(
  db: Database,
  caseIds: string[],
  except = '',
): Promise<string | undefined> {
  if (caseIds.length === 0) return undefined;
  const row = await db
    .selectFrom('decision_accounts')
    .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
    .select('decisions.id')
    .where('case_id', 'in', caseIds)
    .where('decisions.id', '<>', except)
    .orderBy('decisions.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Decisions by id, as moderators see them. */
export async function readDecisions(
  db: Database,
  ids: (string | null | undefined)[],
): Promise<Map<string, Decision>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))];
  if (wanted.length === 0) return new Map();
  const rows = await db
    .selectFrom('decisions')
    .selectAll('decisions')
    .select(({ selectFrom }) => [
      // Not a join: PostgreSQL would overestimate its rows and read all accounts.
      selectFrom('accounts')
        .select('name')
        .whereRef('accounts.id', '=', 'decisions.decided_by')
        .as('decider'),
      selectFrom('decisions as later')
        .select('later.at_ms')
        .whereRef('later.undoes', '=', 'decisions.id')
        .as('undone_at_ms'),
    ])
    .where('decisions.id', 'in', wanted)
    .execute();
  const concerned = await db
    .selectFrom('decision_accounts')
    .select(['decision_id', 'account_id'])
    .select(({ selectFrom }) =>
      selectFrom('accounts')
        .select('name')
        .whereRef('accounts.id', '=', 'decision_accounts.account_id')
        .as('name'),
    )
    .where('decision_id', 'in', wanted)
    .execute();
  const accountsOf = Map.groupBy(concerned, ({ decision_id }) => decision_id);
  return new Map(
    rows.map((row) => {
      const accounts = accountsOf.get(row.id) ?? [];
      const ids = accounts.map(({ account_id }) => account_id);
      const decision = {
        ...decisionFields(row),
        subject: subjectOf(row, ids),
        author: row.subject_kind === 'users' ? '' : (accounts[0]?.name ?? ''),
        decidedBy: row.decider ?? '',
        undoneAt: row.undone_at_ms === null ? null : toInstant(row.undone_at_ms),
        isFinal: !isUndoable(row),
        accounts: ids.length,
      };
      return [row.id, decision];
    }),
  );
}

type DecisionRow = Selectable<Tables['decisions']>;

/** Whether a decision can be undone: it hides, restricts or refuses an account or content. */
function isUndoable({ action, subject_kind }: DecisionRow): boolean {
  if (action === 'reject') return subject_kind === 'user';
  return ['hide', 'hideAll', 'silence', 'suspend'].includes(action);
}

/** Fields of a decision shown to moderators and to the account concerned. */
export const decisionFields = (row: DecisionRow) => ({
  id: row.id,
  at: toInstant(row.at_ms),
  action: row.action,
  category: row.category,
  reason: row.reason,
  undoes: row.undoes,
  until: row.until_ms === null ? null : toInstant(row.until_ms),
});

function subjectOf(
  { subject_kind: kind, subject_id: id }: Pick<DecisionRow, 'subject_kind' | 'subject_id'>,
  ids: string[],
): DecisionSubject {
  return kind === 'users' ? { kind, ids } : { kind, id };
}

/** Subject of a decision, as shown to one of the accounts that it concerns. */
export function subjectFor(
  { subject_kind: kind, subject_id: id }: Pick<DecisionRow, 'subject_kind' | 'subject_id'>,
  accountId: string,
): Subject {
  return kind === 'users' || kind === 'appeal' ? { kind: 'user', id: accountId } : { kind, id };
}

/**
 * The error for a case that was already decided. @param decisionId null or undefined when that decision is not known
 */
export async function alreadyDecided(
  db: Database,
  decisionId: string | null | undefined,
  detail?: string,
): Promise<ApiError> {
  const decision = (await readDecisions(db, [decisionId])).get(decisionId ?? '');
  return new ApiError('already_decided', {
    ...(decision && { decision }),
    ...(detail && { detail }),
  });
}

/** @throws ApiError `decision_not_found` */
export async function requireDecision(db: Database, id: string): Promise<Decision> {
  const decision = (await readDecisions(db, [id])).get(id);
  if (!decision) throw new ApiError('decision_not_found');
  return decision;
}
