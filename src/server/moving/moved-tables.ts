import { type TableKey, tableKeys } from '../database/table-keys.ts';
import type { Tables } from '../database/tables.ts';

/** What a move has to know of a table. */
export interface MovedTable {
  name: string;
  key: TableKey;
  rowsGo: RowsGo;
}

/**
 * Rows are deleted in the course of things; or by who runs the site alone, which the audit log
 * notes; of the others, none ever is.
 */
type RowsGo = boolean | 'noted';

/** All but the rate limits, which are forgotten within the hour anyway. */
const rowsGo: Record<Exclude<keyof Tables, 'rate_limits'>, RowsGo> = {
  accounts: false,
  sessions: true,
  channels: 'noted',
  comments: 'noted',
  hidden_comments: true,
  images: true,
  image_names: false,
  idempotency_keys: true,
  password_links: true,
  audit_log: false,
  site: true,
};

/** Those first that others refer to. */
export const movedTables: MovedTable[] = Object.entries(tableKeys).flatMap(([name, key]) =>
  name in rowsGo ? [{ name, key, rowsGo: rowsGo[name as keyof typeof rowsGo] }] : [],
);
