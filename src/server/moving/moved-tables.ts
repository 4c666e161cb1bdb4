import type { Tables } from '../database/tables.ts';

/** What a move has to know of a table. */
export interface MovedTable {
  name: string;
  /** Columns of the primary key, in its order. */
  key: Record<string, 'text' | 'integer'>;
  /**
   * Rows are deleted in the course of things; or by who runs the site alone, which the audit log
   * notes; of the others, none ever is.
   */
  rowsGo: boolean | 'noted';
}

/**
 * Every table there is, those first that others refer to. One without a plan is not moved: the rate
 * limits are forgotten within the hour anyway. A table that is missing here does not compile, and
 * one that does not agree with the database fails a test.
 */
export const tablePlans = {
  accounts: { key: { id: 'text' }, rowsGo: false },
  sessions: { key: { token_hash: 'text' }, rowsGo: true },
  channels: { key: { id: 'text' }, rowsGo: 'noted' },
  comments: { key: { channel_id: 'text', number: 'integer' }, rowsGo: 'noted' },
  hidden_comments: { key: { channel_id: 'text', number: 'integer' }, rowsGo: true },
  images: { key: { full_path: 'text' }, rowsGo: true },
  idempotency_keys: { key: { account_id: 'text', key: 'text' }, rowsGo: true },
  password_links: { key: { token_hash: 'text' }, rowsGo: true },
  audit_log: { key: { id: 'text' }, rowsGo: false },
  rate_limits: undefined,
} satisfies Record<keyof Tables, Omit<MovedTable, 'name'> | undefined>;

export const movedTables: MovedTable[] = Object.entries(tablePlans).flatMap(([name, plan]) =>
  plan ? [{ name, ...plan }] : [],
);
