import type { CommentKey } from '../../../shared/comment-id.ts';
import type { StoredText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';

export interface IndexRow {
  doc: number;
  /** Undefined for what must not be found. */
  tokens: string[] | undefined;
  /** Whether the index has no such row yet. */
  isNew?: boolean;
}

/** A comment that gets its number in the index. */
export interface NewRow extends IndexRow {
  isNew: true;
  channel: number;
  number: number;
}

/** A comment among those that were asked for. */
export interface ReadComment {
  /** Its place among them. */
  at: number;
  channelId: string;
  authorId: string;
  text: StoredText;
}

/** The index of an engine, which has a row for each comment and channel, and their words. */
export interface Index {
  /** Adds a new comment, which gets the highest number. */
  addComment: (trx: Database, comment: CommentKey, tokens: string[]) => Promise<void>;
  /** Adds comments that the index does not have, the newest first. */
  insertRows: (trx: Database, rows: NewRow[]) => Promise<void>;
  /** Replaces words. */
  writeWords: (trx: Database, rows: IndexRow[]) => Promise<void>;
  /** Erases the words of rows that were deleted, where they are elsewhere. */
  eraseWords: (trx: Database, docs: number[]) => Promise<void>;
  /** Replaces the table of words, even a damaged one, by an empty one, where it is a table of its own. */
  emptyWords: (trx: Database) => Promise<void>;
  /** Erases the words that an index keeps of deleted rows, in steps that other writes can run between. */
  mergeWords: (withTransaction: WithTransaction) => Promise<void>;
  /** Reads and locks comments, without erased ones and those that another transaction has locked. */
  readComments: (
    trx: Database,
    comments: { channel: number; number: number }[],
  ) => Promise<ReadComment[]>;
}
