import { type SqlBool, sql } from 'kysely';
import { limits } from '../../../shared/limits.ts';
import type { Queue } from '../../../shared/moderation.ts';
import { isNotUndone } from '../../accounts/standing/restrictions.ts';
import { isOneAdminAlone } from '../../accounts/standing/staff.ts';
import type { Database } from '../../database/tables.ts';
import { firstWithin } from '../../forum/comments/comment-details.ts';
import {
  type Case,
  countPending,
  readPending,
  unreported,
} from '../../forum/pending/pending-cases.ts';
import { settingsInForce } from '../../site-settings/site-settings.ts';
import { toStoredText } from '../../texts/stored-text.ts';
import {
  formatQueueCursor,
  parseDecisionCursor,
  parseQueueCursor,
  type QueueCursor,
} from '../cursors.ts';
import { readDecisions, subjectFor } from '../decisions/decision-log.ts';
import type { Account } from '../decisions/may-decide.ts';
import { readItems } from './queue-items.ts';

const perPage = 20;
/** Open cases are counted up to this number. */
const counted = 1000;

/**
 * Reads one page of items waiting for a decision or approval, what was reported as illegal first, then the oldest; or
 * of decided ones, newest first. Has fewer items if their JSON would exceed `limits.pageBytes`. Items about the caller are left out: others decide about them,
 * and they name their reporters. The number of queries does not depend on the number of items.
 * @param after `next` of the previous page
 * @throws InvalidCursor
 */
export async function readQueue(
  db: Database,
  caller: Account,
  { state, after }: { state: 'open' | 'pending' | 'decided'; after?: string | undefined },
  nowMs: number,
): Promise<Queue> {
  const counts = {
    open: await countOpen(db, caller.id, counted),
    pending: await countPending(db, caller.id, counted),
  };
  const entries = await (state === 'decided'
    ? readDecided(db, caller.id, after)
    : readWaiting(db, caller.id, state, after));
  const { registration, reviewsFirstPosts } = await settingsInForce(db);
  const page = entries.slice(0, perPage);
  const items = await readItems(
    db,
    caller,
    page.flatMap(({ row }) => row ?? []),
    nowMs,
  );
  const others = await readDecisions(
    db,
    page.map(({ decisionId }) => decisionId ?? null),
  );
  const all = page.map(({ row, decisionId }) => ({
    item: row && items.shift(),
    decision: others.get(decisionId ?? ''),
  }));
  const shown = firstWithin(limits.pageBytes, all, (one) => Buffer.byteLength(JSON.stringify(one)));
  return {
    data: shown.flatMap(({ item }) => item ?? []),
    next: (entries.length > shown.length && page[shown.length - 1]?.cursor) || null,
    others: shown.flatMap(({ decision }) => decision ?? []),
    counts,
    isOpenToSpam: registration === 'open' && !reviewsFirstPosts,
    isOneAdminAlone: await isOneAdminAlone(db, nowMs),
  };
}

/** Counts reports and appeals waiting for a decision by a moderator, up to `limit`. */
export async function countOpen(db: Database, callerId: string, limit: number): Promise<number> {
  // Ordered and limited as in queries of pages, so that the indexes are used.
  const { rows } = await sql<{ count: number }>`select
    (select count(*) from (select id from cases where decided_at_ms is null and account_id <> ${callerId}
      and (rank, id) > (0, '') order by rank, id limit ${limit}) as reported)
    + (select count(*) from (select id from appeals where answer is null and account_id <> ${callerId}
      and id > '' order by id limit ${limit}) as appealed)
    as count`.execute(db);
  return Math.min(limit, Number(rows[0]?.count));
}

/** An item of a page, with the cursor of the next one: a case, or a decision in force that closed no case. */
interface Entry {
  row?: Case;
  decisionId?: string;
  cursor: string;
}

/** Reads one more than a page, to know whether another page follows. */
async function readWaiting(
  db: Database,
  callerId: string,
  state: 'open' | 'pending',
  after: string | undefined,
): Promise<Entry[]> {
  // With a bound, SQLite searches the index on the first page as well.
  const from = parseQueueCursor(after);
  // Only cases have rank 0, so everything else follows them from its beginning.
  const id = from.rank === 0 ? '' : from.id;
  const limit = perPage + 1;
  const rows =
    state === 'pending'
      ? await readPending(db, callerId, id, limit)
      : [...(await readOpen(db, callerId, from)), ...(await readAppeals(db, callerId, id))]
          .sort((one, other) => one.rank - other.rank || (one.id < other.id ? -1 : 1))
          .slice(0, limit);
  return rows.map((row) => ({ row, cursor: formatQueueCursor(row) }));
}

const readOpen = (db: Database, callerId: string, { rank, id }: QueueCursor): Promise<Case[]> =>
  db
    .selectFrom('cases')
    .selectAll()
    .where('decided_at_ms', 'is', null)
    .where('account_id', '<>', callerId)
    .where(sql<SqlBool>`(rank, id) > (${rank}, ${id})`)
    .orderBy('rank')
    .orderBy('id')
    .limit(perPage + 1)
    .execute();

async function readAppeals(db: Database, callerId: string, after: string): Promise<Case[]> {
  const rows = await db
    .selectFrom('appeals')
    .innerJoin('decisions', 'decisions.id', 'appeals.decision_id')
    .select(['appeals.id', 'account_id', 'appeals.text', 'appeals.at_ms', 'decision_id'])
    .select(['subject_kind', 'subject_id', 'decided_by'])
    .where('answer', 'is', null)
    .where('account_id', '<>', callerId)
    .where('appeals.id', '>', after)
    .orderBy('appeals.id')
    .limit(perPage + 1)
    .execute();
  return rows.map(({ id, account_id, text, at_ms, decision_id: of, decided_by, ...decision }) => {
    const subject = subjectFor(decision, account_id);
    return {
      ...unreported,
      id,
      account_id,
      subject_kind: subject.kind,
      subject_id: subject.id,
      text: toStoredText(''),
      images: '[]',
      revision: 0,
      opened_at_ms: at_ms,
      appeal: { text, of, decided_by },
    };
  });
}

/** Like `readWaiting`: each decision once, with the first of the cases that it closed. */
async function readDecided(
  db: Database,
  callerId: string,
  after: string | undefined,
): Promise<Entry[]> {
  const decisions = await db
    .selectFrom('decisions')
    .select('id')
    .select(({ selectFrom }) =>
      selectFrom('cases')
        .select(({ fn }) => fn.min('cases.id').as('first'))
        .whereRef('decision_id', '=', 'decisions.id')
        .where('account_id', '<>', callerId)
        .as('case_id'),
    )
    .where('id', '<', parseDecisionCursor(after))
    .where('action', 'not in', ['approve', 'undo'])
    .where(isNotUndone('decisions'))
    .where(isNotAbout(callerId))
    .orderBy('id', 'desc')
    .limit(perPage + 1)
    .execute();
  const caseIds = decisions.flatMap(({ case_id }) => case_id ?? []);
  const cases =
    caseIds.length > 0
      ? await db.selectFrom('cases').selectAll().where('id', 'in', caseIds).execute()
      : [];
  return decisions.map(({ id, case_id }) => {
    const row = cases.find((one) => one.id === case_id);
    return { ...(row ? { row } : { decisionId: id }), cursor: id };
  });
}

const isNotAbout = (accountId: string) => sql<SqlBool>`not exists (
  select 1 from decision_accounts where decision_id = decisions.id and account_id = ${accountId})`;
