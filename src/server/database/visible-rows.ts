import { type SqlBool, sql } from 'kysely';

interface Removable {
  deleted_at_ms: number | null;
  hidden_at_ms: number | null;
}

/**
 * Whether a row of `channels` or `comments` is neither deleted nor hidden. A comment's channel may be:
 * what visitors are shown is read from the views (`Views` in tables.ts).
 */
export function isVisible(row: Removable): boolean {
  return row.deleted_at_ms === null && row.hidden_at_ms === null;
}

/** The same as a condition of a query. */
export const isVisibleRow = sql<SqlBool>`deleted_at_ms is null and hidden_at_ms is null`;

/** Whether a row is in the bin of its author, who can restore it: deleted, and not hidden by a moderator. */
export function isInBin(row: Removable): boolean {
  return row.deleted_at_ms !== null && row.hidden_at_ms === null;
}
