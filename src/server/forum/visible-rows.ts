import { type SqlBool, sql } from 'kysely';
import { trashMs } from '../system/times.ts';

/** When the author deleted a channel or comment, and the decision that hides it. */
export interface Visibility {
  deleted_at_ms: number | null;
  hidden_by: string | null;
}

/**
 * Whether a row of `channels` or `comments` is itself neither deleted nor hidden. Its author or its channel may be
 * hidden: rows for visitors are read from the views (`Views` in tables.ts).
 */
export function isVisible(row: Visibility): boolean {
  return row.deleted_at_ms === null && row.hidden_by === null;
}

/**
 * SQL condition: the row is neither deleted nor hidden, and its author is not hidden. Equals the condition of
 * `visible_channels`, and of the comments in `comment_count`, which ignores the visibility of their channel.
 */
export const isPublic = (table: 'channels' | 'comments' | 'answers') =>
  sql<SqlBool>`${sql.ref(`${table}.deleted_at_ms`)} is null and ${sql.ref(`${table}.hidden_by`)} is null
    and (select author.hidden_by from accounts as author
      where author.id = ${sql.ref(`${table}.account_id`)}) is null`;

/** Whether a row is in its author's trash and can be restored: deleted, and not hidden by a moderator. */
export function isInTrash(row: Visibility): boolean {
  return row.deleted_at_ms !== null && row.hidden_by === null;
}

/** Whether a row was deleted so long ago that it can no longer be restored from the trash. */
export function hasLeftTrash({ deleted_at_ms }: Visibility, nowMs: number): boolean {
  return deleted_at_ms !== null && deleted_at_ms <= nowMs - trashMs;
}

/**
 * Set on a row before it is erased in several transactions. The deletion time 0 hides it from everyone, prevents its
 * author from restoring it, and makes housekeeping resume an interrupted erasure.
 */
export const markedForErasure = {
  deleted_at_ms: 0,
  hidden_by: null,
} as const satisfies Visibility;

export function isMarkedForErasure(row: Pick<Visibility, 'deleted_at_ms'>): boolean {
  return row.deleted_at_ms === markedForErasure.deleted_at_ms;
}

/** The opposite of `isMarkedForErasure` as an SQL condition. */
export const isNotMarkedForErasure = sql<SqlBool>`deleted_at_ms is distinct from ${sql.lit(markedForErasure.deleted_at_ms)}`;
