import type { Generated } from 'kysely';
import type { StoredText } from './stored-text.ts';

/** Columns of rows that a request with an idempotency key made. Both are null where it had no key. */
export interface SentKey {
  /** SHA-256 of the key, base64url; unique within the account. */
  key_hash: string | null;
  /** SHA-256 of the key and the request, base64url: without the key nobody can guess what was sent. */
  request_hash: string | null;
}

/** Tables of content and images. Times are milliseconds since 1970 in UTC. */
export interface ContentTables {
  channels: SentKey & {
    /** UUIDv7, so that newer ones sort after older ones. */
    id: string;
    account_id: string;
    name: string;
    description: string;
    cover: string;
    /** Alternative text of the cover; may be empty. */
    cover_alt: string;
    /** Comments that, like their authors, are neither deleted nor hidden. Updated in the transaction that changes it. */
    comment_count: number;
    /** Number of the newest comment; numbers are never reused. */
    last_comment_number: number;
    created_at_ms: number;
    /** Id of a decision in force that hides it; null otherwise. */
    hidden_by: string | null;
    /** When its author deleted it; null otherwise. */
    deleted_at_ms: number | null;
    /** Since when it accepts no comments; null while it does. */
    closed_at_ms: number | null;
    /** When its name, description or cover was last edited. */
    edited_at_ms: number | null;
    /** From 1; each edit raises it. */
    revision: Generated<number>;
    /** When its newest comment was written, else when it was created. */
    active_at_ms: Generated<number>;
    /** Since when home shows it first; null while it does not. */
    pinned_at_ms: number | null;
  };
  comments: SentKey & {
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
    /** Rows in `comment_images`. */
    image_count: Generated<number>;
    /** When its author, who can restore it for 30 days, deleted it; null otherwise. */
    deleted_at_ms: number | null;
    /** Id of a decision in force that hides it; null otherwise. */
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
  /** The images of these earlier texts. */
  comment_version_images: {
    channel_id: string;
    number: number;
    revision: number;
    position: number;
    url: string;
    alt: string;
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
  images: {
    /** `images/<file name>`; the public URL is derived from it. */
    full_path: string;
    /** `full_path` with case folded, unique. */
    path_key: string;
    /** Public URL, as stored in covers and avatars. */
    url: string;
    /** Image id: the prefix of its object keys in the image store (storage-keys.ts). */
    image_id: string;
    account_id: string;
    use: 'cover' | 'avatar' | 'comment';
    content_type: string;
    /** Bytes of the full size. */
    size_bytes: number;
    /** Bytes of the full size and all variants. */
    stored_bytes: number;
    /** Base64, of the full size. */
    md5: string;
    /** SHA-256 in hex of the use, the account and the full-size bytes: detects identical uploads. */
    content_hash: string;
    width: number;
    height: number;
    /** Nominal width of its largest variant. */
    largest_variant: number;
    created_at_ms: number;
    updated_at_ms: number;
    /**
     * When it was last uploaded or put to use; the sweep deletes unused images some time later. 0 once
     * something that had it was erased.
     */
    used_at_ms: number;
    /** 1 where objects were missing or damaged in the backup that the site was restored from: no longer a problem. */
    is_lost: Generated<number>;
  };
  /** Images whose objects are being written. The row is deleted with the insertion of the image's own. */
  pending_objects: {
    image_id: string;
    use: 'cover' | 'avatar' | 'comment';
    largest_variant: number;
    created_at_ms: number;
  };
  /** Images that have no other row any more, and whose objects are to be removed. */
  orphaned_objects: {
    image_id: string;
    use: 'cover' | 'avatar' | 'comment';
    largest_variant: number;
  };
  /** Every name an image ever had. Never deleted, so that a URL never serves different bytes. */
  image_names: {
    /** SHA-256 of the `path_key`, base64url; empty in the row that marks a restored site. */
    name_hash: string;
    /** `content_hash` of the only image that may use the name. */
    content_hash: string;
    /** The site's epoch in which the name was claimed; empty in that row. */
    epoch: string;
  };
}
