import { type SqlBool, sql } from 'kysely';
import { binMs } from '../times.ts';

/** When a channel or comment was deleted by its author, and hidden by a moderator. */
export interface Visibility {
  deleted_at_ms: number | null;
  hidden_at_ms: number | null;
  /** The decision that hid it. */
  hidden_by?: string | null;
}

/**
 * Whether a row of `channels` or `comments` is neither deleted nor hidden. A comment's channel may be:
 * what visitors are shown is read from the views (`Views` in tables.ts).
 */
export function isVisible(row: Visibility): boolean {
  return row.deleted_at_ms === null && row.hidden_at_ms === null;
}

/** The same as a condition of a query. */
export const isVisibleRow = sql<SqlBool>`deleted_at_ms is null and hidden_at_ms is null`;

/** Whether a row is in the bin of its author, who can restore it: deleted, and not hidden by a moderator. */
export function isInBin(row: Visibility): boolean {
  return row.deleted_at_ms !== null && row.hidden_at_ms === null;
}

/** Whether its author deleted a row so long ago that it is in no bin any more. */
export function hasLeftBin({ deleted_at_ms }: Visibility, nowMs: number): boolean {
  return deleted_at_ms !== null && deleted_at_ms <= nowMs - binMs;
}

/**
 * Set on a row before it is erased in several transactions: deleted at the beginning of time, so that nobody
 * sees it, its author cannot restore it, and housekeeping goes on with an erasure that was interrupted.
 */
export const markedForErasure = {
  deleted_at_ms: 0,
  hidden_at_ms: null,
} as const satisfies Visibility;

export function isMarkedForErasure(row: Visibility): boolean {
  return row.deleted_at_ms === markedForErasure.deleted_at_ms;
}

/** The opposite of `isMarkedForErasure` as a condition of a query. */
export const isNotMarkedForErasure = sql<SqlBool>`deleted_at_ms is distinct from ${sql.lit(markedForErasure.deleted_at_ms)}`;
