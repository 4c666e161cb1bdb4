import type { Generated } from 'kysely';
import type { EventPhase, RsvpAnswer } from '../../shared/events.ts';
import type { UploadUse } from '../../shared/images.ts';

declare const brand: unique symbol;

/**
 * A text in stored form: plain text in which each mention is a token, the id of an account between U+0002
 * and U+0003. `FieldParser` removes these characters from the texts of requests. Names are inserted when
 * the text is read, so no stored text changes when an account is renamed or erased.
 */
export type StoredText = string & { readonly [brand]: true };

/** Columns for the idempotency key of the request that inserted a row. Both are null when it had none. */
export interface SentKey {
  /** SHA-256 of the key, base64url; unique within the account. */
  key_hash: string | null;
  /** SHA-256 of key and request, base64url. Without the key, a short request could be guessed from its hash. */
  request_hash: string | null;
}

/** Tables of content and images. Times are milliseconds since 1970 in UTC. */
export interface ContentTables {
  channels: SentKey & {
    /** UUIDv7, so that ids sort by time. */
    id: string;
    account_id: string;
    name: string;
    description: string;
    cover: string;
    /** Alternative text of the cover; may be empty. */
    cover_alt: string;
    /** Number of comments that are neither deleted nor hidden, nor by hidden authors. Updated in the transaction of each change. */
    comment_count: number;
    /** Number of the newest comment; numbers are never reused. */
    last_comment_number: number;
    created_at_ms: number;
    /** Id of the decision in force that hides it; null otherwise. */
    hidden_by: string | null;
    /** When its author deleted it; null otherwise. */
    deleted_at_ms: number | null;
    /** When it was closed to new comments; null while it is open. */
    closed_at_ms: number | null;
    /** When its name, description or cover was last edited. */
    edited_at_ms: number | null;
    /** From 1; incremented by each edit. */
    revision: Generated<number>;
    /** When its newest comment was written, or else when it was created. */
    active_at_ms: Generated<number>;
    /** When it was pinned to the top of home; null while it is not pinned. */
    pinned_at_ms: number | null;
    /** Number of the newest comment for which followers have notifications (notifications/pass/tell-channels.ts). */
    told_number: Generated<number>;
    /** 1 once members were told that it is new, or were not to be; otherwise 0. */
    is_told: Generated<number>;
  };
  comments: SentKey & {
    channel_id: string;
    /** From 1, in the order of commits within the channel. */
    number: number;
    account_id: string;
    /** The imported person who wrote it, also when a member has claimed it since; null for all other comments. */
    person_id: Generated<string | null>;
    text: StoredText;
    created_at_ms: number;
    /** From 1; incremented by each edit. */
    revision: Generated<number>;
    /** When it was last edited visibly; null otherwise. */
    edited_at_ms: number | null;
    /** Number of the comment in this channel that it replies to. */
    reply_to: number | null;
    /** Number of its rows in `comment_images`. */
    image_count: Generated<number>;
    /** Number of its rows in `comment_files`. */
    file_count: Generated<number>;
    /** The kind of the part that the comment has besides text, images and files; null without one. */
    carries: 'event' | 'poll' | null;
    /** The words of what it carries, which searches, excerpts and moderators read after its text; empty for nothing. */
    carried_text: Generated<string>;
    /** 1 when everybody is told of it (`announcements`); otherwise 0. */
    is_announcement: Generated<number>;
    /** When its author deleted it; null otherwise. The author can restore it for 30 days. */
    deleted_at_ms: number | null;
    /** Id of the decision in force that hides it; null otherwise. */
    hidden_by: string | null;
  };
  /** Chats of another service that became channels; one row per channel. */
  imports: {
    channel_id: string;
    /** The admin who brought it. */
    account_id: string;
    /** `full`: the disk was. All but `done` go on when the same file is imported again. */
    state: 'running' | 'cancelled' | 'full' | 'failed' | 'done';
    /** JSON of `Plan`; empty once it is done or cancelled, because it has the names of the chat, which may be telephone numbers. */
    plan: string;
    /** Keys the hashes of the names of the chat. */
    source_key: string;
    /** Messages that became comments, and those that the file has for it. */
    done: Generated<number>;
    total: Generated<number>;
    /** Time of the newest message that became a comment, and how many of that time did; 0 before the first. */
    newest_ms: Generated<number>;
    newest_count: Generated<number>;
    /** JSON of `LeftOutCounts`. */
    left_out: string;
    /** JSON of the hashes, as `source_hash`, of the names of people who were left out. */
    left_out_people: Generated<string>;
    /** When the present or last run began. */
    started_at_ms: number;
    changed_at_ms: number;
  };
  /** Names in chats that moved in, with the imported people whom they mean. */
  imported_people: {
    channel_id: string;
    /** HMAC-SHA-256 of the name in the chat under `source_key`, base64url. */
    source_hash: string;
    /** The imported person; several names may mean one. */
    account_id: string;
    /** SHA-256 of the token of the link to claim what the person wrote, base64url. */
    claim_hash: string | null;
    /** Likewise, of the link to withdraw it. */
    withdraw_hash: string | null;
    /** The account to which the words were given; null until then. */
    claimed_by: string | null;
    claimed_at_ms: number | null;
    /** 1 while some comments are not yet those of the account in `claimed_by` or, without one, of the person. */
    is_moving: Generated<number>;
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
  comment_files: {
    channel_id: string;
    number: number;
    /** From 0, in the order shown. */
    position: number;
    url: string;
  };
  /** The only reaction, `Gracias`; at most one per person and comment. */
  comment_thanks: {
    channel_id: string;
    number: number;
    account_id: string;
    created_at_ms: number;
  };
  /** Title, place, zone and capacity of the dates that a comment carries; one row per comment. */
  comment_events: {
    channel_id: string;
    number: number;
    title: string;
    /** May be empty. */
    location: string;
    /** IANA name of the zone in which its times were written. */
    zone: string;
    /** 1 when its dates are whole days; otherwise 0. */
    all_day: number;
    /** People who can come to each date; null for any number. */
    capacity: number | null;
    /** From 1; incremented by each change. */
    revision: Generated<number>;
    /** When it was written or last changed. */
    changed_at_ms: number;
  };
  event_dates: {
    channel_id: string;
    number: number;
    /** From 0, in the order in which they were to take place at first. */
    position: number;
    /** As one reads it in its zone: `2027-03-28T20:30`, or `2027-03-28` when all day. */
    start_time: string;
    /** Likewise; the last day itself when all day. Null without an end. */
    end_time: string | null;
    /** Derived from the former (event-times.ts). */
    starts_at_ms: number;
    ends_at_ms: number;
    /** Written by a pass when the clock has reached the start and the end. */
    phase: Generated<EventPhase>;
    /** When it was cancelled; null while it takes place. */
    cancelled_at_ms: number | null;
    /** Why it was cancelled; may be empty. */
    reason: Generated<string>;
    /** The times and the place that people were last told, by the comment or by a later notification (tell-events.ts). */
    told_start: string;
    told_end: string | null;
    told_location: string;
    /** 1 when they were told that it does not take place, or it is not shown any more; otherwise 0. */
    told_cancelled: Generated<number>;
    /** Since when a pass has found it to differ from what people were told; null while it does not. */
    differs_since_ms: number | null;
    /** The `occasion` of the newest notifications about this date; 0 while there are none. */
    occasion: Generated<number>;
    told_at_ms: Generated<number>;
    /** The times and the place that they had been told before those; null until they were told of a change. */
    before_start: string | null;
    before_end: string | null;
    before_location: string | null;
    /** When those who come are reminded; null once they were, and when that is not to be. */
    remind_at_ms: number | null;
    /** People who come, and who wait for room; answers `maybe` and `no`. Without hidden accounts. */
    yes: Generated<number>;
    waiting: Generated<number>;
    maybe: Generated<number>;
    no: Generated<number>;
  };
  /** Answers to dates; at most one per person and date. */
  event_rsvps: {
    channel_id: string;
    number: number;
    position: number;
    account_id: string;
    answer: RsvpAnswer;
    /** How many come; 1 unless the answer is `yes`. */
    people: number;
    /** From 1, in the order of the answers `yes`; 0 for others. */
    turn: number;
    /** 1 when it was told to wait, and not yet that there is room. */
    is_waiting: Generated<number>;
    answered_at_ms: number;
  };
  polls: {
    channel_id: string;
    number: number;
    /** 1 when several options may be chosen; otherwise 0. */
    is_multiple: number;
    /** 1 when it is not stored who voted for what; otherwise 0. */
    is_secret: number;
    closes_at_ms: number;
    /** When a pass closed it, and told its result; null before. Votes are refused from `closes_at_ms` on. */
    closed_at_ms: number | null;
    /** When a restore began a secret one anew, without its votes; null otherwise. */
    restarted_at_ms: number | null;
  };
  /** Options never change. */
  poll_options: {
    channel_id: string;
    number: number;
    /** From 0, in the order shown. */
    position: number;
    text: string;
    /** As one reads it on the community's clock: `2027-03-28T20:30`; null for an option that is no day and hour. */
    start_time: string | null;
  };
  /** Votes in named polls; one row per person and chosen option. */
  poll_votes: {
    channel_id: string;
    number: number;
    position: number;
    account_id: string;
  };
  /** Accounts that have voted in a secret poll; SQLite stores them in the order of their ids. */
  secret_voters: {
    channel_id: string;
    number: number;
    account_id: string;
  };
  /** How many people chose each option of a secret poll. Each vote writes all rows of its poll. */
  secret_counts: {
    channel_id: string;
    number: number;
    position: number;
    votes: Generated<number>;
    /** How many people have voted, the same in all rows of the poll. An erased account stays counted. */
    voters: Generated<number>;
  };
  /** Comments of moderators that everybody is told of. */
  announcements: {
    channel_id: string;
    number: number;
    /** The last day on which it stands on top of home, such as `2027-03-28`, in the community's zone. */
    until_day: string;
    /** When that day ends. */
    ends_at_ms: number;
    /** 1 when moderators want to see who has read it; otherwise 0. */
    asks_confirmation: number;
    /** When the notifications were written, or were left out because it was not visible; null before. */
    told_at_ms: number | null;
    /** When those who had not acknowledged it were told again; null if they were not. */
    reminded_at_ms: number | null;
  };
  /** Who has read an announcement, and says so. */
  acknowledgements: {
    channel_id: string;
    number: number;
    account_id: string;
    acknowledged_at_ms: number;
  };
  /** Earlier texts of edited comments, stored for 30 days. */
  comment_versions: {
    channel_id: string;
    number: number;
    revision: number;
    text: StoredText;
    replaced_at_ms: number;
  };
  /** Images of the earlier texts in `comment_versions`. */
  comment_version_images: {
    channel_id: string;
    number: number;
    revision: number;
    position: number;
    url: string;
    alt: string;
  };
  /** Earlier names, descriptions and covers of edited channels, stored for 30 days. */
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
    /** `images/<file name>`, or `files/<random id>/<file name>` for the use `file`; the public URL is derived from it. */
    full_path: string;
    /** Case-folded `full_path`, unique. */
    path_key: string;
    /** Public URL, in the form stored in covers and avatars. */
    url: string;
    /** Image id: the prefix of its object keys in the image store (storage-keys.ts). */
    image_id: string;
    account_id: string;
    use: UploadUse;
    content_type: string;
    /** Bytes of the file as it is shown or sent. */
    size_bytes: number;
    /** Bytes of the full-size file and all variants. */
    stored_bytes: number;
    /** MD5 of the full-size file, base64. */
    md5: string;
    /** SHA-256, in hex, of use, account and full-size bytes. Detects identical uploads. */
    content_hash: string;
    width: number;
    height: number;
    /** Nominal width of its largest variant. This and the size in pixels are 0 for the use `file`. */
    largest_variant: number;
    created_at_ms: number;
    updated_at_ms: number;
    /**
     * When it was last uploaded or used; the sweep deletes unused images a day later. 0 after content with
     * it was erased, so that the next sweep deletes it.
     */
    used_at_ms: number;
    /** 1 when the restored backup lacked some of its objects; later backups count as complete without them. */
    is_lost: Generated<number>;
  };
  /** Images whose objects are being written. The transaction that inserts the row in `images` deletes this one. */
  unconfirmed_objects: {
    image_id: string;
    use: UploadUse;
    largest_variant: number;
    created_at_ms: number;
  };
  /** Images whose other rows were deleted and whose objects must still be removed. */
  orphaned_objects: {
    image_id: string;
    use: UploadUse;
    largest_variant: number;
  };
  /** Every name an image ever had. Never deleted, so that a URL never serves different bytes. */
  image_names: {
    /** SHA-256 of the `path_key`, base64url; empty in the row that marks a restored site. */
    name_hash: string;
    /** `content_hash` of the only content that may use the name. */
    content_hash: string;
    /** The site's epoch in which the name was claimed; empty in the row that marks a restored site. */
    epoch: string;
  };
}
