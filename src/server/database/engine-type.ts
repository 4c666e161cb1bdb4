import type { Expression, LogConfig, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { DatabaseSettings } from '../system/settings/config.ts';
import type { PoolCounts } from './postgres/postgres-pool.ts';
import type { Database, Tables } from './tables.ts';
import type { WithSilentTransaction } from './transactions.ts';

export interface OpenOptions {
  log?: LogConfig;
  /** Disables the time limits on PostgreSQL statements. */
  noStatementTimeout?: boolean;
  /** Called with the PostgreSQL pool, for connection metrics. */
  onPool?: ((pool: PoolCounts) => void) | undefined;
}

/**
 * Locks held by one process at a time: `housekeeping` keeps a backup from running during erasures and sweeps of images,
 * `search` is for building the search index, `mail` for sending mail, `alerts` for sending alerts,
 * `import` for bringing a chat.
 */
export type LockName = 'housekeeping' | 'search' | 'mail' | 'news' | 'alerts' | 'import';

/**
 * Confirms that the lock is still held. Call it before each step that two processes must not run
 * concurrently. @throws LockLost
 */
export type ConfirmLock = () => Promise<void>;

interface Listener {
  topic: string;
  /** Called when listening begins, and whenever changes made by others may have been missed. */
  onGap: () => void;
  /** Must not throw: any client of the database can send any payload. */
  onNotification: (payload: string) => void;
  /** Called when changes made by others no longer arrive. */
  onLost: () => void;
  /** Called when listening fails. */
  onProblem: (problem: Error) => void;
}

export interface Listening {
  /** Waits until it is listening. @throws DatabaseUnavailable with the cause */
  ready: () => Promise<void>;
  close: () => Promise<void>;
}

/** Steps of a restore into an empty database. */
export interface FillSteps {
  /** Throws when the database has data. Runs after the database was locked. */
  requireEmpty: (db: Database) => Promise<void>;
  /** Runs before the database is changed. */
  prepare: () => Promise<void>;
  fill: (db: Database) => Promise<void>;
}

/** Everything that differs between SQLite and PostgreSQL, except search, which uses `byEngine`. */
export interface Engine {
  /** Whether the database is a file in the data folder, which only one process can serve. */
  isFile: boolean;

  open: (settings: DatabaseSettings, options?: OpenOptions) => Database;
  /**
   * Opens an existing database for reading, without statement timeouts. A server may be using it.
   * @returns undefined when the database is a file that does not exist
   */
  openToRead: (settings: DatabaseSettings) => Database | undefined;
  /** Checks, before anything is written, that the database is usable, or that the site is new. @throws UnfitDatabase */
  inspect: (settings: DatabaseSettings) => void;
  /** Claims a database that only one server may use. @returns a function that releases it @throws DataDirInUse */
  claim: (settings: DatabaseSettings) => () => void;
  /** Whether a server runs on the database. */
  isServed: (settings: DatabaseSettings, db: Database) => Promise<boolean>;
  /** Runs the start of a server while no restore fills the database. @param onWait called before it waits for a restore */
  withoutRestore: <T>(
    settings: DatabaseSettings,
    work: () => Promise<T>,
    onWait: () => void,
  ) => Promise<T>;
  /** Whether a restore is filling the database, which does not exist until the restore has finished. */
  isRestoring: (settings: DatabaseSettings) => boolean;
  /** Fills an empty database. A failure leaves it empty; no server can start before the end. @throws UnfitTarget, InUse */
  fillEmpty: (settings: DatabaseSettings, steps: FillSteps) => Promise<void>;

  /** Name and version of the engine. */
  version: (db: Database) => Promise<string>;
  /** @throws OperatorError when its version is too old */
  requireVersion: (db: Database) => Promise<void>;
  /** Sentences about faults of the database that an operator should correct, although the server can use it. */
  findDoubts: (db: Database) => Promise<string[]>;
  /**
   * Checks that the database responds and, on PostgreSQL, that it is not read-only. Writes nothing.
   * @throws ReadOnlyDatabase, DatabaseUnavailable
   */
  requireWritable: (db: Database) => Promise<void>;
  /** Size of the whole database with its indexes, in bytes. A copy of its rows is hardly larger. */
  size: (db: Database) => Promise<number>;
  tableNames: (db: Database) => Promise<string[]>;

  /** Runs a migration while no other process runs one. @param work receives a database without time limits */
  whileMigrating: (
    settings: DatabaseSettings,
    db: Database,
    work: (db: Database) => Promise<void>,
  ) => Promise<void>;
  /** Ensures that one transaction at a time migrates. */
  lockMigrations: (trx: Database) => Promise<void>;
  /** Gathers the statistics that the query planner needs, after a database was filled. */
  analyze: (trx: Database) => Promise<void>;
  /**
   * Erases the former versions of rows of small tables, which a reader of the disk could otherwise bring into the order in
   * which they were written. Not in a transaction.
   */
  eraseFormerRows: (db: Database, tables: (keyof Tables)[]) => Promise<void>;
  /** Makes the ids of new rows of a table continue after `last`. */
  continueIds: (trx: Database, table: keyof Tables, last: Expression<unknown>) => Promise<void>;

  transactions: (db: Database) => WithSilentTransaction;
  /** Sets how long the transaction's statements wait for a lock, instead of the default. */
  waitForLocks: (trx: Database, ms: number) => Promise<void>;
  /** Acknowledges the commit before it is on disk, for work that is repeated if a crash loses it. */
  commitLazily: (trx: Database) => Promise<void>;
  /** Runs work under a lock. @returns undefined, without running work, when another process holds the lock */
  tryWithLock: <T>(
    place: { db: Database; config: DatabaseSettings },
    name: LockName,
    work: (confirmLock: ConfirmLock) => Promise<T>,
  ) => Promise<T | undefined>;
  /** Notifies other processes when the transaction commits. Does nothing on SQLite, where they poll for changes. */
  notify: (trx: Database, topic: string, payloads: string[]) => Promise<void>;
  /** Listens for changes made by other processes until it is closed. */
  listen: (settings: DatabaseSettings, db: Database, listener: Listener) => Promise<Listening>;

  /** Streams the rows of a query in batches. Call it within a transaction, and run no other query there until it ends. */
  stream: <DB, Table extends keyof DB, Row>(
    db: Database,
    query: SelectQueryBuilder<DB, Table, Row>,
  ) => AsyncGenerator<Row[]>;
  /** Orders a text column bytewise, whatever the database's collation is. */
  byBytes: (column: string) => RawBuilder<unknown>;
  /** A table expression with the texts in its column `value`. */
  givenTexts: (texts: string[]) => RawBuilder<unknown>;
}
