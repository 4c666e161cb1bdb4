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
    /** Changed in the transaction that adds the comment. */
    comment_count: number;
    /** Number given to the newest comment; never given twice. */
    last_comment_number: number;
    created_at_ms: number;
  };
  comments: {
    channel_id: string;
    /** From 1, in the order of commits within the channel. */
    number: number;
    account_id: string;
    text: string;
    created_at_ms: number;
  };
  images: {
    /** `images/<file name>`: what the public address is made from. */
    full_path: string;
    /** `full_path` with case folded, unique. */
    path_key: string;
    /** Where the bytes lie in the image store; made from their SHA-256. */
    storage_key: string;
    account_id: string;
    use: 'cover' | 'avatar';
    content_type: string;
    size_bytes: number;
    /** Base64. */
    md5: string;
    width: number;
    height: number;
    created_at_ms: number;
    updated_at_ms: number;
  };
}

/** A connection or a transaction: queries do not care which. */
export type Database = Kysely<Tables>;
