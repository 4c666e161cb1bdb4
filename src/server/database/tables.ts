import type { Kysely } from 'kysely';

/** Rows as both engines keep them. Times are milliseconds since 1970 in UTC. */
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
    /** Since when nobody may sign in to it; null while anyone who knows the password may. */
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
    /** What the cover shows, for those who cannot see it; empty when nobody said. */
    cover_alt: string;
    /** Changed in the transaction that adds the comment. */
    comment_count: number;
    /** Number given to the newest comment; never given twice. */
    last_comment_number: number;
    created_at_ms: number;
    /** Since when it is shown to nobody; null while it is shown. */
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
  /** Comments that are shown to nobody; shown again, they go back to their place. */
  hidden_comments: Tables['comments'] & { hidden_at_ms: number };
  /** Each sets a new password for its account, once. */
  password_links: {
    /** SHA-256 of the token, base64url. */
    token_hash: string;
    /** Unique. */
    account_id: string;
    expires_at_ms: number;
  };
  /** What the people who run the site did to accounts, channels and comments. Only added to. */
  audit_log: {
    /** UUIDv7: the order in which it was done. */
    id: string;
    at_ms: number;
    /** Name at the operating system. */
    actor: string;
    action: string;
    /** Id of what it was done to. */
    subject: string;
    note: string;
  };
  images: {
    /** `images/<file name>`: what the public address is made from. */
    full_path: string;
    /** `full_path` with case folded, unique. */
    path_key: string;
    /** Its public address, as covers and faces name it. */
    url: string;
    /** What the keys of its objects in the image store begin with (storage-keys.ts). */
    picture_id: string;
    account_id: string;
    use: 'cover' | 'avatar';
    content_type: string;
    /** Of the full size. */
    size_bytes: number;
    /** Of the full size and all forms. */
    stored_bytes: number;
    /** Base64, of the full size. */
    md5: string;
    /** SHA-256 in hex of the use and the full size: equal when nothing new was uploaded. */
    content_hash: string;
    width: number;
    height: number;
    /** Width that its largest form is named by. */
    largest_form: number;
    created_at_ms: number;
    updated_at_ms: number;
    /** When it was last uploaded or put to use; unused ones go some time after. */
    used_at_ms: number;
  };
  /** Every name that a image ever had. Never deleted: its address never shows other bytes. */
  image_names: {
    /** SHA-256 of the `path_key`, base64url; empty says only that there was a former history. */
    name_hash: string;
    /** `content_hash` of the only image that may have the name. */
    content_hash: string;
    /** Of the site when the name was given; empty for what is older than this table. */
    generation: string;
  };
  idempotency_keys: {
    account_id: string;
    /** Chosen by who sends; together with the account it is the key. */
    key: string;
    /** SHA-256 of the request, base64url. */
    request_hash: string;
    /** Id of the comment or channel that it made. */
    result_id: string;
    created_at_ms: number;
  };
  /** One row, made when it is first asked for (site-generation.ts). */
  site: {
    /** 1. */
    id: number;
    /** Random. A restored site has another: what a reader has seen may not be in it. */
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

/** A connection or a transaction: queries do not care which. */
export type Database = Kysely<Tables>;
