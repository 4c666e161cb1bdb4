import type { Generated } from 'kysely';
import type {
  Category,
  DecisionAction,
  DecisionSubject,
  SubjectKind,
} from '../../shared/moderation.ts';
import type { PendingReason } from '../../shared/pending.ts';
import type { SentKey } from './content-tables.ts';

/** Reports, decisions and whom they concern. Times are milliseconds since 1970 in UTC. */
export interface ModerationTables {
  /** The decisions of moderators and operators, a log that is only added to. In force is what no later row undoes. */
  decisions: {
    /** UUIDv7, so ids sort by time. */
    id: string;
    at_ms: number;
    action: DecisionAction;
    category: Category;
    /** Sent to whom it concerns. */
    reason: string;
    subject_kind: DecisionSubject['kind'];
    /** Id of an account, a channel, a comment, a pending post that was rejected, or an appeal; empty for several accounts. */
    subject_id: string;
    /** Account of the moderator, which may be erased; user name of the operator on their system. */
    decided_by: string;
    /** When a silence or suspension ends; null for others. */
    until_ms: number | null;
    /** The decision that this one undoes. Each is undone once. */
    undoes: string | null;
  };
  /** The accounts that a decision concerns: authors of content, silenced, suspended or hidden ones. */
  decision_accounts: {
    decision_id: string;
    account_id: string;
    /** The case that it decides, or the pending post; its own id when nothing was open; null for an undo. */
    case_id: string | null;
  };
  /** One appeal of a person against each decision about them. */
  appeals: {
    /** UUIDv7, so that ids sort by time. */
    id: string;
    decision_id: string;
    account_id: string;
    text: string;
    at_ms: number;
    /** The decision that upholds the one that it is against, or undoes it; null while it waits. */
    answer: string | null;
  };
  /** The reports on one subject, from the first until 30 days after their decision. */
  cases: {
    /** UUIDv7, so that ids sort by time. */
    id: string;
    subject_kind: SubjectKind;
    subject_id: string;
    /** The author of the content, or the person. */
    account_id: string;
    /** As first reported, in stored form (`StoredText`). */
    text: string;
    /** JSON of `CommentImage[]`, as first reported. */
    images: string;
    /** The content's revision when it was first reported; 0 for a person. */
    revision: number;
    report_count: number;
    opened_at_ms: number;
    decided_at_ms: number | null;
    decision_id: string | null;
  };
  reports: {
    id: string;
    case_id: string;
    /** Random; whoever has it may ask for the outcome. */
    receipt: string;
    /** The person who reported; null for guests, and once that account is erased. */
    account_id: string | null;
    /** The same for the same person: the account's id, or a keyed hash of the address of a guest. */
    reporter_key: string;
    reason: Category;
    /** Written by the person who reported. */
    text: string;
    /** The content at that time, if it had changed since it was first reported; else empty. In stored form, as in `cases`. */
    said: Generated<string>;
    /** Given by a guest who reports illegal content; else empty. */
    name: string;
    email: string;
    created_at_ms: number;
  };
  /** Comments and channels that wait for a moderator, or were refused. */
  pending_posts: SentKey & {
    /** UUIDv7, so that ids sort by time. */
    id: string;
    account_id: string;
    kind: 'comment' | 'channel';
    /** The channel of a comment; null for a channel. */
    channel_id: string | null;
    /** Number of the comment that a pending one answers. */
    reply_to: number | null;
    /** JSON of what is published: `NewCommentContent` or `NewChannelRow`. */
    content: string;
    reason: PendingReason;
    created_at_ms: number;
    /** When it is erased: some time after it was written, or refused. */
    expires_at_ms: number;
    /** The decision that refused it; null while it waits. */
    rejected_by: string | null;
  };
  /** Images of what is held, of this site. */
  pending_post_images: {
    pending_post_id: string;
    url: string;
  };
}
