import type { Tables } from './tables.ts';

/**
 * Every table with the columns of its primary key. Referenced tables come first, so rows can be
 * inserted in this order. A table that a migration drops stays here for databases from before it.
 */
export const tableKeys: Record<string, TableKey> = {
  accounts: { id: 'text' },
  sessions: { token_hash: 'text' },
  channels: { id: 'text' },
  comments: { channel_id: 'text', number: 'integer' },
  hidden_comments: { channel_id: 'text', number: 'integer' },
  images: { full_path: 'text' },
  image_names: { name_hash: 'text' },
  idempotency_keys: { account_id: 'text', key: 'text' },
  password_links: { token_hash: 'text' },
  audit_log: { id: 'text' },
  site: { id: 'integer' },
  rate_limits: { key: 'text' },
} satisfies Record<keyof Tables, TableKey>;

/** Key columns in order, with their types. */
export type TableKey = Record<string, 'text' | 'integer'>;
