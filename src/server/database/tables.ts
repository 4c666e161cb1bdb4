import type { ColumnType, Generated, Kysely, SelectType } from 'kysely';
import type { StoredText } from './stored-text.ts';

/** Table rows, the same on both engines. Times are milliseconds since 1970 in UTC. */
export interface Tables {
  accounts: {
    id: string;
    name: string;
    email: string;
    /** `emailKey(email)`, unique; null once it is erased. */
    email_key: string | null;
    /** PHC string. */
    password_hash: string;
    img: string | null;
    created_at_ms: number;
    /** When sign-in was disabled; null while it is allowed. */
    disabled_at_ms: number | null;
    /** `nameKey(name)`; null until housekeeping adds it to accounts from before it existed. */
    name_key: string | null;
    /** When its owner last changed the name; null for never. */
    name_changed_at_ms: number | null;
    /** When it is to be erased; null unless its owner asked for it, and after it was done. */
    deletion_at_ms: number | null;
    /** What becomes of what it wrote: `anonymous` or `erase`. */
    deletion_content: string | null;
    /** JSON of the receipt of the deletion. */
    deletion_receipt: string | null;
    /** When its owner made recovery codes or was reminded of them; null for never. */
    recovery_reminded_at_ms: number | null;
    /** When it was erased. The row stays, without anything personal, for what refers to it. */
    erased_at_ms: number | null;
  };
  /** Browsers that stay signed in. */
  devices: {
    id: string;
    /** SHA-256 of the cookie's value, base64url. */
    token_hash: string;
    account_id: string;
    /** Name of browser and system, for people. */
    browser: string;
    created_at_ms: number;
    last_used_at_ms: number;
    expires_at_ms: number;
  };
  sessions: {
    /** SHA-256 of the token, base64url. */
    token_hash: string;
    /** Public, unlike the token; null for sessions from before it existed. */
    id: string | null;
    account_id: string;
    /** The remembered browser that opened it; it ends with it. */
    device_id: string | null;
    /** As of devices. */
    browser: Generated<string>;
    created_at_ms: number;
    /** Up to an hour ago when it is in use; null for sessions from before it existed. */
    last_used_at_ms: number | null;
    expires_at_ms: number;
  };
  /** Single-use codes to set a new password. */
  recovery_codes: {
    /** SHA-256 of account and code, base64url. */
    code_hash: string;
    account_id: string;
    created_at_ms: number;
  };
  passkeys: {
    /** Credential id, base64url. */
    id: string;
    account_id: string;
    /** COSE key, base64url. */
    public_key: string;
    counter: number;
    /** JSON array of WebAuthn's transports. */
    transports: string;
    /** Given by its owner. */
    name: string;
    created_at_ms: number;
    last_used_at_ms: number | null;
  };
  /** Challenges that were handed out and not answered yet. */
  passkey_challenges: {
    /** SHA-256 of the challenge, base64url. */
    challenge_hash: string;
    /** Who adds a passkey; null for signing in. */
    account_id: string | null;
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
    /** When a moderator hid it; null otherwise. */
    hidden_at_ms: number | null;
    /** Id of the decision that hid it. Nothing writes it yet. */
    hidden_by: string | null;
    /** When its author deleted it; null otherwise. */
    deleted_at_ms: number | null;
    /** Since when it accepts no comments; null while it does. */
    closed_at_ms: number | null;
    /** When its name, description or cover was last edited. */
    edited_at_ms: number | null;
    /** From 1; each edit raises it. */
    revision: Generated<number>;
    /** Number of the newest row in `channel_changes`, 0 before the first. */
    last_change_number: Generated<number>;
    /** When its newest comment was written, else when it was created. */
    active_at_ms: Generated<number>;
  };
  comments: {
    channel_id: string;
    /** From 1, in the order of commits within the channel. */
    number: number;
    account_id: string;
    text: StoredText;
    created_at_ms: number;
    /** From 1; each edit raises it. */
    revision: Generated<number>;
    /** When it was last edited visibly; null otherwise. */
    edited_at_ms: number | null;
    /** Number of the comment of this channel that it answers. */
    reply_to: number | null;
    /** Quoted from that comment. */
    reply_excerpt: StoredText | null;
    /** Visible comments that answer it. */
    reply_count: Generated<number>;
    /** Rows in `comment_images` and `comment_thanks`. */
    image_count: Generated<number>;
    thanks_count: Generated<number>;
    /** When its author, who can restore it for 30 days, deleted it; null otherwise. */
    deleted_at_ms: number | null;
    /** When a moderator hid it; null otherwise. */
    hidden_at_ms: number | null;
    /** Id of the decision that hid it. Nothing writes it yet. */
    hidden_by: string | null;
  };
  comment_images: {
    channel_id: string;
    number: number;
    /** From 0, in the order shown. */
    position: number;
    url: string;
    /** Alternative text; may be empty. */
    alt: string;
  };
  /** One reaction, `Gracias`, at most once per person and comment. */
  comment_thanks: {
    channel_id: string;
    number: number;
    account_id: string;
    created_at_ms: number;
  };
  /** Earlier texts of edited comments, for 30 days. */
  comment_versions: {
    channel_id: string;
    number: number;
    revision: number;
    text: StoredText;
    replaced_at_ms: number;
  };
  /** Earlier names, descriptions and covers of edited channels, for 30 days. */
  channel_versions: {
    channel_id: string;
    revision: number;
    name: string;
    description: string;
    cover: string;
    cover_alt: string;
    replaced_at_ms: number;
  };
  /** Changes of comments and of their channel that readers are sent, in the order of commits, for 7 days. */
  channel_changes: {
    channel_id: string;
    /** From 1, in the order of commits within the channel. */
    change_number: number;
    /** Number of the comment, 0 for the channel. Whether the comment is visible is read from `visible_comments`. */
    number: number;
    at_ms: number;
  };
  /** How far each person has read each channel. Only rises. */
  reading_positions: {
    account_id: string;
    channel_id: string;
    number: number;
  };
  /** Single-use links to set a new password. */
  password_links: {
    /** SHA-256 of the token, base64url. */
    token_hash: string;
    /** Unique. */
    account_id: string;
    expires_at_ms: number;
  };
  /** Acts of operators on accounts, channels and comments, and of owners on their accounts. Append-only. */
  audit_log: {
    /** UUIDv7, so ids sort by time. */
    id: string;
    at_ms: number;
    /** User name on the operator's system; `owner`, or the way in that was used, for an account's own acts. */
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
    use: 'cover' | 'avatar' | 'comment';
    content_type: string;
    /** Of the full size. */
    size_bytes: number;
    /** Of the full size and all variants. */
    stored_bytes: number;
    /** Base64, of the full size. */
    md5: string;
    /**
     * SHA-256 in hex of the use, the account and the full-size bytes: detects identical uploads. Covers
     * and avatars of earlier versions lack the account.
     */
    content_hash: string;
    width: number;
    height: number;
    /** Nominal width of its largest variant. */
    largest_form: number;
    created_at_ms: number;
    updated_at_ms: number;
    /**
     * When it was last uploaded or put to use; the sweep deletes unused images some time later. 0 once
     * something that had it was erased.
     */
    used_at_ms: number;
    /**
     * When its objects got keys that no visitor knows, since nothing visible has it; null otherwise
     * (images/withdraw-images.ts).
     */
    withdrawn_at_ms: number | null;
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
  /** One row, created on first use (images/site-identity.ts). */
  site_identity: {
    /** Always 1. */
    id: number;
    /** Random; the image store of the same site has the same. */
    identity: string;
  };
  /** Channels in the search index. */
  search_channels: {
    /** Stands for the channel in `search_docs`, which is shorter. */
    id: Generated<number>;
    channel_id: string;
  };
  /**
   * Comments in the search index, also while they are hidden or deleted, so that a restored one keeps
   * its place in the order.
   */
  search_docs: {
    /** Newer comments have higher ones. Never used again. */
    doc: Generated<number>;
    /** `search_channels.id`. */
    channel: number;
    number: number;
  };
  /** One row, created at the start when it is missing: how far the search index is built. */
  search_state: {
    /** Always 1. */
    id: number;
    /** `analysisVersion` that it is built with; 0 when it is to be built again. */
    version: number;
    /** Channels from this `search_channels.id` down are still to be indexed; 0 after the last. */
    next_channel: number;
    /**
     * Comments with docs from this one down are still to be indexed; 0 when those without a doc are;
     * null when all comments are indexed.
     */
    next_doc: number | null;
    /** Docs from this one down are free for comments without a doc, in descending order. */
    free_doc: number;
  };
  /** Written by the rate limiter, on PostgreSQL only, and with stored texts (overload/text-budget.ts). */
  rate_limits: {
    key: string;
    points: number;
    /** Milliseconds since 1970. */
    expire: number | null;
  };
}

/** A stored time as it is sent: ISO 8601 in UTC. */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

type Removal = 'deleted_at_ms' | 'hidden_at_ms' | 'hidden_by';

/** A row that cannot be written. */
type ReadOnly<Row> = { [Column in keyof Row]: ColumnType<SelectType<Row[Column]>, never, never> };

/** The views (migrations/views.ts) that contain only rows that visitors may see. All public reads use them. */
export interface Views {
  /** Channels that are neither hidden nor deleted. */
  visible_channels: ReadOnly<Omit<Tables['channels'], Removal>>;
  /** Comments that are neither hidden nor deleted, of visible channels. */
  visible_comments: ReadOnly<Omit<Tables['comments'], Removal>>;
}

/** A database or a transaction; queries accept either. */
export type Database = Kysely<Tables & Views>;
