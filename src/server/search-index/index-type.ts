import type { CommentKey } from '../../shared/comment-id.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import type { StoredText } from '../texts/stored-text.ts';

export interface IndexRow {
  doc: number;
  /** Undefined for a row that must not be found. */
  tokens: string[] | undefined;
  /** True when the index has no row for this doc yet, so that none has to be replaced. */
  isNew?: boolean;
}

/** A comment to add to the index. */
export interface NewRow extends IndexRow {
  isNew: true;
  channel: number;
  number: number;
}

/** One of the requested comments. */
export interface ReadComment {
  /** Its index in the request. */
  at: number;
  channelId: string;
  authorId: string;
  text: StoredText;
}

/** The index of one engine: a row for each comment and channel, and their words. */
export interface Index {
  /** Adds a new comment, which gets the highest doc. */
  addComment: (trx: Database, comment: CommentKey, tokens: string[]) => Promise<void>;
  /** Adds comments that the index does not have, newest first. */
  insertRows: (trx: Database, rows: NewRow[]) => Promise<void>;
  writeWords: (trx: Database, rows: IndexRow[]) => Promise<void>;
  /** Erases the words of deleted rows, if the engine stores them in another table. */
  eraseWords: (trx: Database, docs: number[]) => Promise<void>;
  /** Replaces the table of words, even a damaged one, with an empty one, if the engine has such a table. */
  emptyWords: (trx: Database) => Promise<void>;
  /** Erases the words of deleted rows that an index still stores, in steps between which other writes can run. */
  mergeWords: (withTransaction: WithTransaction) => Promise<void>;
  /** Reads and locks comments, except erased ones and those that another transaction has locked. */
  readComments: (
    trx: Database,
    comments: { channel: number; number: number }[],
  ) => Promise<ReadComment[]>;
}
