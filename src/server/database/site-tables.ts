import type { Generated } from 'kysely';

/** Tables of the site itself, its audit log, its rate limits and its search index. Times are milliseconds since 1970 in UTC. */
export interface SiteTables {
  /** One row, created with the table (site-epoch.ts). */
  site: {
    /** Always 1. */
    id: number;
    /** 8 random hex digits in the names of this site's daily backups. A restored site keeps it. */
    identity: string;
    /** Random; null until the first start with this database. A restore clears it, which invalidates earlier cursors. */
    epoch: string | null;
    /** Hash of the code in the link whose account administers the site or will (founder-link.ts); null without one. */
    founder_hash: string | null;
    /** Null once the link was used. */
    founder_ends_at_ms: number | null;
  };
  /** One row, created on first use (moderation/reports/report-secret.ts). */
  report_secret: {
    /** Always 1. */
    id: number;
    /** Random. */
    secret: string;
  };
  /** The key pair that push services know the site by: one row, created on first use (push/push-keys.ts). */
  push_keys: {
    /** Always 1. */
    id: number;
    /** Base64url, as are private keys. */
    public_key: string;
    private_key: string;
  };
  /** Settings of the community: one row, created when they are first saved. */
  site_settings: {
    /** Always 1. */
    id: number;
    /** Incremented with each change. */
    revision: number;
    saved_at_ms: number;
    /** 1 if the setting `reviewsFirstPosts` is true; a column for use in queries. */
    reviews_first_posts: number;
    /** JSON of those `SiteSettings` that were saved at least once. */
    settings: string;
  };
  /**
   * Actions by moderators and operators that are not decisions, and by owners on their accounts, whose entries
   * are deleted after a year. The command `audit` lists them together with the decisions.
   */
  audit_log: {
    /** UUIDv7, so ids sort by time. */
    id: string;
    at_ms: number;
    /** User name on the operator's system; for owners `owner`, or the credential used, such as `recovery code`. */
    actor: string;
    action: string;
    /** Id of the account, channel or comment acted on. */
    subject: string;
    note: string;
  };
  /** Counts of requested mails; on PostgreSQL also the shared counts of the rate limiter. */
  rate_limits: {
    key: string;
    points: number;
    /** Milliseconds since 1970. */
    expire: number | null;
  };
  /** Channels in the search index. */
  search_channels: {
    /** Identifies the channel in `search_docs`; shorter than its id. */
    id: Generated<number>;
    channel_id: string;
  };
  /**
   * Comments in the search index, and channels, with the number 0. Hidden and deleted comments stay, so that a
   * restored one keeps its place in the order.
   */
  search_docs: {
    /** Higher for newer comments. Never reused. */
    doc: Generated<number>;
    /** `search_channels.id`. */
    channel: number;
    number: number;
  };
  /** How far the search index is built: one row, created at the start when missing. */
  search_state: {
    /** Always 1. */
    id: number;
    /** The `analysisVersion` that the index is built with; 0 to request a rebuild. */
    version: number;
    /** Number of comments not indexed yet; null while names and channels, which come first, are indexed. */
    remaining: number | null;
    /** When the index is to be merged (search-index/merge-index.ts). */
    merge_at_ms: Generated<number>;
  };
}
