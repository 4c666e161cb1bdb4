import { type SqlBool, sql } from 'kysely';
import { trashMs } from '../system/times.ts';

/** When a channel or comment was deleted by its author, and the decision that hides it. */
export interface Visibility {
  deleted_at_ms: number | null;
  hidden_by: string | null;
}

/**
 * Whether a row of `channels` or `comments` is itself neither deleted nor hidden. Its author or its channel may be
 * hidden: what visitors are shown is read from the views (`Views` in tables.ts).
 */
export function isVisible(row: Visibility): boolean {
  return row.deleted_at_ms === null && row.hidden_by === null;
}

/**
 * Whether neither a row nor its author is hidden or deleted, as a condition of a query: what the view of channels has,
 * and what `comment_count` counts, whatever the channel of the comments is.
 */
export const isPublic = (table: 'channels' | 'comments' | 'answers') =>
  sql<SqlBool>`${sql.ref(`${table}.deleted_at_ms`)} is null and ${sql.ref(`${table}.hidden_by`)} is null
    and (select author.hidden_by from accounts as author
      where author.id = ${sql.ref(`${table}.account_id`)}) is null`;

/** Whether visitors are shown the name of an account (accounts/standing/shown-accounts.ts), as a condition on `accounts`. */
export const isListed = sql<SqlBool>`(accounts.hidden_by is null and accounts.admission is null
  and (accounts.approved_at_ms is not null
    or coalesce((select reviews_first_posts from site_settings where id = 1), 0) = 0))`;

/** Whether a row is in the trash of its author, who can restore it: deleted, and not hidden by a moderator. */
export function isInTrash(row: Visibility): boolean {
  return row.deleted_at_ms !== null && row.hidden_by === null;
}

/** Whether its author deleted a row so long ago that it is in no trash any more. */
export function hasLeftTrash({ deleted_at_ms }: Visibility, nowMs: number): boolean {
  return deleted_at_ms !== null && deleted_at_ms <= nowMs - trashMs;
}

/**
 * Set on a row before it is erased in several transactions: deleted at the beginning of time, so that nobody
 * sees it, its author cannot restore it, and housekeeping goes on with an erasure that was interrupted.
 */
export const markedForErasure = {
  deleted_at_ms: 0,
  hidden_by: null,
} as const satisfies Visibility;

export function isMarkedForErasure(row: Pick<Visibility, 'deleted_at_ms'>): boolean {
  return row.deleted_at_ms === markedForErasure.deleted_at_ms;
}

/** The opposite of `isMarkedForErasure` as a condition of a query. */
export const isNotMarkedForErasure = sql<SqlBool>`deleted_at_ms is distinct from ${sql.lit(markedForErasure.deleted_at_ms)}`;
