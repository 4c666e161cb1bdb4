import type { ColumnType, Kysely, SelectType } from 'kysely';
import type { AccountTables } from './account-tables.ts';
import type { ContentTables, SentKey } from './content-tables.ts';
import type { ModerationTables } from './moderation-tables.ts';
import type { SiteTables } from './site-tables.ts';

/** Rows of every table, the same on both engines. */
export interface Tables extends AccountTables, ContentTables, ModerationTables, SiteTables {}

/** Formats a stored time for responses: ISO 8601 in UTC. */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

type HiddenColumn = 'deleted_at_ms' | 'hidden_by' | 'told_number' | 'is_told' | keyof SentKey;

/** A row of a view, which cannot be written. */
type ReadOnly<Row> = { [Column in keyof Row]: ColumnType<SelectType<Row[Column]>, never, never> };

/** The views that contain only rows that visitors may see. All public reads use them. */
export interface Views {
  /** Channels that are neither hidden nor deleted, and whose authors are not hidden. */
  visible_channels: ReadOnly<Omit<Tables['channels'], HiddenColumn>>;
  /** Comments of visible channels that are neither hidden nor deleted, and whose authors are not hidden. */
  visible_comments: ReadOnly<Omit<Tables['comments'], HiddenColumn>>;
}

/** A database or a transaction; queries accept either. */
export type Database = Kysely<Tables & Views>;
