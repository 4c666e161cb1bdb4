import { type SqlBool, sql } from 'kysely';
import type { Log } from '../../../shared/moderation.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { parseDecisionCursor } from '../cursors.ts';

const perPage = 50;

/**
 * Lists one page of the public log, newest first.
 * @param after `next` of the previous page
 * @throws InvalidCursor
 */
export async function listLog(db: Database, after: string | undefined): Promise<Log> {
  const rows = await db
    .selectFrom('decisions')
    .leftJoin('decisions as later', 'later.undoes', 'decisions.id')
    .select(['decisions.id', 'decisions.at_ms', 'decisions.action', 'decisions.category'])
    .select('later.id as undone_by')
    // The same condition as that of the index.
    .where(sql<SqlBool>`decisions.action not in ('dismiss', 'approve')`)
    .where('decisions.id', '<', parseDecisionCursor(after))
    .orderBy('decisions.id', 'desc')
    .limit(perPage + 1)
    .execute();
  const page = rows.slice(0, perPage);
  const last = page.at(-1);
  return {
    data: page.map(({ at_ms, action, category, undone_by }) => ({
      at: toInstant(at_ms),
      action,
      category,
      isUndone: undone_by !== null,
    })),
    next: last && rows.length > perPage ? last.id : null,
  };
}
