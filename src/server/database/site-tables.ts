import type { Generated } from 'kysely';

/** The site itself, its log, its limits and its search index. Times are milliseconds since 1970 in UTC. */
export interface SiteTables {
  /** One row, created with the table (site-epoch.ts). */
  site: {
    /** Always 1. */
    id: number;
    /** 8 random hex digits in the names of this site's daily backups. A restored site keeps it. */
    identity: string;
    /** Random; null until the first start with this database, and after a restore, which invalidates earlier cursors. */
    epoch: string | null;
  };
  /** One row, created on first use (moderation/reports/report-secret.ts). */
  report_secret: {
    /** Always 1. */
    id: number;
    /** Random. */
    secret: string;
  };
  /** Settings of the community: one row, created when they are first saved. */
  site_settings: {
    /** Always 1. */
    id: number;
    /** Rises with each change. */
    revision: number;
    saved_at_ms: number;
    /** 1 where `reviewsFirstPosts` of the settings is true, for queries. */
    reviews_first_posts: number;
    /** JSON of `SiteSettings`. */
    settings: string;
  };
  /**
   * Acts of moderators and operators that are no decisions, and of owners on their accounts. Append-only. The command
   * `audit` lists them together with the decisions.
   */
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
  /** Counts of mails; on PostgreSQL those of the rate limiter too. */
  rate_limits: {
    key: string;
    points: number;
    /** Milliseconds since 1970. */
    expire: number | null;
  };
  /** Channels in the search index. */
  search_channels: {
    /** Stands for the channel in `search_docs`, which is shorter. */
    id: Generated<number>;
    channel_id: string;
  };
  /**
   * Comments in the search index, also while they are hidden or deleted, so that a restored one keeps
   * its place in the order; and channels, with the number 0.
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
    /** Comments that are not in it; null while names and channels are indexed, before them. */
    remaining: number | null;
  };
}
