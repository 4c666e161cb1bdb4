import type { Kysely } from 'kysely';

/** Table rows, the same on both engines. Times are milliseconds since 1970 in UTC. */
export interface Tables {
  accounts: {
    id: string;
    name: string;
    email: string;
    /** `emailKey(email)`, unique. */
    email_key: string;
    /** PHC string. */
    password_hash: string;
    img: string | null;
    created_at_ms: number;
    /** When sign-in was disabled; null while it is allowed. */
    disabled_at_ms: number | null;
  };
  sessions: {
    /** SHA-256 of the token, base64url. */
    token_hash: string;
    account_id: string;
    created_at_ms: number;
    expires_at_ms: number;
  };
  channels: {
    /** UUIDv7, so that newer ones sort after older ones. */
    id: string;
    account_id: string;
    name: string;
    description: string;
    cover: string;
    /** Alternative text of the cover; may be empty. */
    cover_alt: string;
    /** Updated in the transaction that adds the comment. */
    comment_count: number;
    /** Number of the newest comment; numbers are never reused. */
    last_comment_number: number;
    created_at_ms: number;
    /** When a moderator hid it; null while it is visible. */
    hidden_at_ms: number | null;
  };
  comments: {
    channel_id: string;
    /** From 1, in the order of commits within the channel. */
    number: number;
    account_id: string;
    text: string;
    created_at_ms: number;
  };
  /** Comments hidden by a moderator; restoring one moves it back to `comments`. */
  hidden_comments: Tables['comments'] & { hidden_at_ms: number };
  /** Single-use links to set a new password. */
  password_links: {
    /** SHA-256 of the token, base64url. */
    token_hash: string;
    /** Unique. */
    account_id: string;
    expires_at_ms: number;
  };
  /** Moderation actions on accounts, channels and comments. Append-only. */
  audit_log: {
    /** UUIDv7, so ids sort by time. */
    id: string;
    at_ms: number;
    /** Operating system user name. */
    actor: string;
    action: string;
    /** Id of the account, channel or comment acted on. */
    subject: string;
    note: string;
  };
  images: {
    /** `images/<file name>`; the public URL is derived from it. */
    full_path: string;
    /** `full_path` with case folded, unique. */
    path_key: string;
    /** Public URL, as stored in covers and avatars. */
    url: string;
    /** Image id: the prefix of its object keys in the image store (storage-keys.ts). */
    picture_id: string;
    account_id: string;
    use: 'cover' | 'avatar';
    content_type: string;
    /** Of the full size. */
    size_bytes: number;
    /** Of the full size and all variants. */
    stored_bytes: number;
    /** Base64, of the full size. */
    md5: string;
    /** SHA-256 in hex of the use and the full-size bytes, to detect identical uploads. */
    content_hash: string;
    width: number;
    height: number;
    /** Nominal width of its largest variant. */
    largest_form: number;
    created_at_ms: number;
    updated_at_ms: number;
    /** When it was last uploaded or put to use; the sweep deletes unused images some time later. */
    used_at_ms: number;
  };
  /** Every name an image ever had. Never deleted, so that a URL never serves different bytes. */
  image_names: {
    /** SHA-256 of the `path_key`, base64url; empty in the row that marks a former history. */
    name_hash: string;
    /** `content_hash` of the only image that may use the name. */
    content_hash: string;
    /** Site generation in which the name was claimed; empty for names older than this table. */
    generation: string;
  };
  idempotency_keys: {
    account_id: string;
    /** Chosen by the client; unique within the account. */
    key: string;
    /** SHA-256 of the request, base64url. */
    request_hash: string;
    /** Id of the comment or channel that the request created. */
    result_id: string;
    created_at_ms: number;
  };
  /** One row, created on first use (site-generation.ts). */
  site: {
    /** Always 1. */
    id: number;
    /** Random; a restored site gets a new one, which invalidates earlier cursors. */
    generation: string;
  };
  /** Written by the rate limiter, on PostgreSQL only. */
  rate_limits: {
    key: string;
    points: number;
    /** Milliseconds since 1970. */
    expire: number | null;
  };
}

/** A database or a transaction; queries accept either. */
export type Database = Kysely<Tables>;

/**
 * Every table with the columns of its primary key. Referenced tables come first, so rows can be
 * inserted in this order. A table that a migration drops stays here for databases from before it.
 */
export const tableKeys: { [Table in keyof Tables]: (keyof Tables[Table])[] } = {
  accounts: ['id'],
  sessions: ['token_hash'],
  channels: ['id'],
  comments: ['channel_id', 'number'],
  hidden_comments: ['channel_id', 'number'],
  images: ['full_path'],
  image_names: ['name_hash'],
  idempotency_keys: ['account_id', 'key'],
  password_links: ['token_hash'],
  audit_log: ['id'],
  site: ['id'],
  rate_limits: ['key'],
};
