import { sql } from 'kysely';
import type { Log } from '../../shared/moderation.ts';
import { formatIdCursor, parseIdCursor } from '../database/cursors.ts';
import { type Database, toInstant } from '../database/tables.ts';

const perPage = 50;

/**
 * Lists one page of the public log, latest first.
 * @param after `next` of the page before
 * @throws InvalidCursor
 */
export async function listLog(db: Database, after: string | undefined): Promise<Log> {
  const rows = await db
    .selectFrom('decisions')
    .select(['id', 'at_ms', 'action', 'category', 'undone_at_ms'])
    // As in the index.
    .where(sql<boolean>`action <> 'dismiss'`)
    .where('action', '<>', 'approve')
    // A bound makes SQLite search the index on the first page too.
    .where('id', '<', after === undefined ? '~' : parseIdCursor(after).id)
    .orderBy('id', 'desc')
    .limit(perPage + 1)
    .execute();
  const page = rows.slice(0, perPage);
  const last = page.at(-1);
  return {
    data: page.map(({ at_ms, action, category, undone_at_ms }) => ({
      ...{ at: toInstant(at_ms), action, category, isUndone: undone_at_ms !== null },
    })),
    next: last && rows.length > perPage ? formatIdCursor({ atMs: last.at_ms, id: last.id }) : null,
  };
}
