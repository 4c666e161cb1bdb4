import type { Generated } from 'kysely';
import type {
  Category,
  DecisionAction,
  DecisionSubject,
  SubjectKind,
} from '../../shared/moderation.ts';
import type { PendingReason } from '../../shared/pending.ts';
import type { SentKey, StoredText } from './content-tables.ts';

/** Tables of reports, decisions and pending posts. Times are milliseconds since 1970 in UTC. */
export interface ModerationTables {
  /** Append-only log of decisions by moderators and operators. A decision is in force unless a later row undoes it. */
  decisions: {
    /** UUIDv7, so ids sort by time. */
    id: string;
    at_ms: number;
    action: DecisionAction;
    category: Category;
    /** Shown to the people concerned. */
    reason: string;
    subject_kind: DecisionSubject['kind'];
    /** Id of an account, a channel, a comment, a pending post that was rejected, or an appeal; empty for several accounts. */
    subject_id: string;
    /** Account id of the moderator, which may be erased, or user name of the operator on their system. */
    decided_by: string;
    /** When a silence or suspension ends; null if never, and for other decisions. */
    until_ms: number | null;
    /** The decision that this one undoes. Each can be undone once. */
    undoes: string | null;
  };
  /** The accounts that a decision concerns: authors of content, or accounts that are silenced, suspended or hidden. */
  decision_accounts: {
    decision_id: string;
    account_id: string;
    /** Id of the case or pending post that it decides; the decision's own id when nothing was open; null for an undo. */
    case_id: string | null;
  };
  /** Appeals: one for each decision and person concerned. */
  appeals: {
    /** UUIDv7, so that ids sort by time. */
    id: string;
    decision_id: string;
    account_id: string;
    text: string;
    at_ms: number;
    /** The decision that upholds or undoes the one appealed against; null while the appeal is open. */
    answer: string | null;
  };
  /** A case gathers the reports on one subject, from the first until 30 days after the decision. */
  cases: {
    /** UUIDv7, so that ids sort by time. */
    id: string;
    subject_kind: SubjectKind;
    subject_id: string;
    /** The author of the reported content, or the reported person. */
    account_id: string;
    /** As first reported. */
    text: StoredText;
    /** JSON of `CommentImage[]`: those first reported, then those of later reports, at most fifty. */
    images: string;
    /** The content's revision when it was first reported; 0 for a person. */
    revision: number;
    /** 0 once somebody reported it as illegal, otherwise 1. Lower ranks come first in the queue. */
    rank: Generated<number>;
    report_count: number;
    opened_at_ms: number;
    decided_at_ms: number | null;
    decision_id: string | null;
  };
  /** Uploaded images and files that a case shows, which stay as long as the case. */
  case_images: {
    case_id: string;
    url: string;
  };
  reports: {
    id: string;
    case_id: string;
    /** Random secret, with which the outcome can be read. */
    receipt: string;
    /** Account of the person who reported; null for guests, and once that account is erased. */
    account_id: string | null;
    /** Identifies the person who reported: the account's id, or a keyed hash of a guest's address. */
    reporter_key: string;
    reason: Category;
    /** Written by the person who reported. */
    text: string;
    /** The reported content in stored form, if it had changed since it was first reported; otherwise empty. */
    said: Generated<string>;
    /** Name and e-mail of a guest who reports illegal content; otherwise empty. */
    name: string;
    email: string;
    created_at_ms: number;
  };
  /** Comments and channels that wait for a moderator, or were rejected. */
  pending_posts: SentKey & {
    /** UUIDv7, so that ids sort by time. */
    id: string;
    account_id: string;
    kind: 'comment' | 'channel';
    /** The channel of a comment; null for a channel. */
    channel_id: string | null;
    /** JSON of `NewCommentContent` or `NewChannelRow`, to be published on approval. */
    content: string;
    reason: PendingReason;
    created_at_ms: number;
    /** When it is erased: some time after it was written or rejected. */
    expires_at_ms: number;
    /** The decision that rejected it; null while it waits. */
    rejected_by: string | null;
  };
  /** Images and files of this site that pending posts use. */
  pending_post_images: {
    pending_post_id: string;
    url: string;
  };
}
