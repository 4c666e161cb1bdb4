import { type Insertable, type Selectable, sql } from 'kysely';
import type { Arrivals, Decision, Subject } from '../../shared/moderation.ts';
import { type Database, type Tables, toInstant } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';

/** Stores a decision in force, with the accounts that it concerns. */
export async function storeDecision(
  trx: Database,
  decision: Omit<Insertable<Tables['decisions']>, 'undone_at_ms' | 'undone_by'>,
  accountIds: string[],
): Promise<void> {
  await trx
    .insertInto('decisions')
    .values({ ...decision, undone_at_ms: null, undone_by: null })
    .execute();
  const work = decision.action === 'hideAll' ? ('hide' as const) : null;
  await trx
    .insertInto('decision_accounts')
    .values(
      accountIds.map((account_id) => ({
        ...{ decision_id: decision.id, account_id, ended_by: null, work },
        ...{ appeal: '', appealed_at_ms: null },
      })),
    )
    .execute();
}

/**
 * 1 for a decision that cannot be undone: an approval, the answer that upholds a decision, and what ended one that was
 * appealed against. With `exists`, PostgreSQL would read all decisions.
 */
const isFinal = sql<number>`case
  when action = 'approve' or (action = 'dismiss' and replaces is not null) then 1
  when action in ('restore', 'release') and (
    select max(ended.appealed_at_ms) from decision_accounts as about
    join decision_accounts as ended on ended.account_id = about.account_id
      and ended.ended_by = about.decision_id
    where about.decision_id = decisions.id) is not null then 1
  else 0 end`;

/** Decisions by their ids, as moderators see them. */
export async function readDecisions(
  db: Database,
  ids: (string | null)[],
): Promise<Map<string, Decision>> {
  const wanted = ids.filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await db
    .selectFrom('decisions')
    .selectAll('decisions')
    .select(({ selectFrom, fn }) => [
      // PostgreSQL would overestimate the rows of a join and read all accounts.
      selectFrom('accounts')
        .select('name')
        .whereRef('accounts.id', '=', 'decisions.decided_by')
        .as('decider'),
      selectFrom('accounts')
        .select('name')
        .where('accounts.id', '=', ({ selectFrom }) =>
          selectFrom('decision_accounts')
            .select('account_id')
            .whereRef('decision_id', '=', 'decisions.id')
            .limit(1),
        )
        .where('decisions.subject_kind', '!=', 'arrivals')
        .as('author'),
      selectFrom('decision_accounts')
        .select(fn.countAll<number>().as('accounts'))
        .whereRef('decision_id', '=', 'decisions.id')
        .as('accounts'),
      selectFrom('decision_accounts')
        .select(sql<number>`count(work)`.as('remaining'))
        .whereRef('decision_id', '=', 'decisions.id')
        .as('remaining'),
      isFinal.as('is_final'),
    ])
    .where('decisions.id', 'in', wanted)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...decisionFields(row),
        subject: subjectOf(row),
        author: row.author ?? '',
        decidedBy: row.decider ?? '',
        undoneAt: row.undone_at_ms === null ? null : toInstant(row.undone_at_ms),
        isFinal: row.is_final === 1,
        accounts: Number(row.accounts),
        remaining: Number(row.remaining),
      },
    ]),
  );
}

/** The fields of a decision that moderators and the person concerned see. */
export const decisionFields = (row: Selectable<Tables['decisions']>) => ({
  ...{ id: row.id, at: toInstant(row.at_ms), action: row.action, category: row.category },
  reason: row.reason,
  until: row.until_ms === null ? null : toInstant(row.until_ms),
});

/** The error that says that somebody decided before. @param decisionId null or undefined when that decision is not known */
export async function alreadyDecided(
  db: Database,
  decisionId: string | null | undefined,
  detail?: string,
): Promise<ApiError> {
  const decision = (await readDecisions(db, [decisionId ?? null])).get(decisionId ?? '');
  return new ApiError('already_decided', {
    ...(decision && { decision }),
    ...(detail && { detail }),
  });
}

/** @throws ApiError `decision_not_found` */
export async function requireDecision(db: Database, id: string): Promise<Decision> {
  const decision = id.includes('\0') ? undefined : (await readDecisions(db, [id])).get(id);
  if (!decision) throw new ApiError('decision_not_found');
  return decision;
}

function subjectOf(row: { subject_kind: Subject['kind'] | 'arrivals'; subject_id: string }) {
  const { subject_kind: kind, subject_id: id } = row;
  return kind === 'arrivals' ? (JSON.parse(id) as Arrivals) : { kind, id };
}
