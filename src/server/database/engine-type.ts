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
 * Locks that one process at a time holds: `housekeeping` keeps the sweep and the backup of images apart, `search`
 * protects the building of the search index, `mail` the sending of mail, `alerts` that of alerts.
 */
export type LockName = 'housekeeping' | 'search' | 'mail' | 'alerts';

/**
 * Confirms that the lock is still held. Call it before each step that two processes must not run
 * concurrently. @throws LockLost
 */
export type ConfirmLock = () => Promise<void>;

interface Listener {
  topic: string;
  /** Called when it begins to listen, and whenever changes of others may have been missed since. */
  onGap: () => void;
  /** Called with what any client of the database sends, so it must not throw. */
  onNotification: (payload: string) => void;
  /** Called when changes of others no longer arrive. */
  onLost: () => void;
  /** Called when it cannot listen. */
  onProblem: (problem: Error) => void;
}

export interface Listening {
  /** Waits until changes of others arrive. @throws DatabaseUnavailable with the cause */
  ready: () => Promise<void>;
  close: () => Promise<void>;
}

/** How a restore fills an empty database. */
export interface FillSteps {
  /** Refuses a database that has data. It is locked by then. */
  requireEmpty: (db: Database) => Promise<void>;
  /** Runs before the database is changed. */
  prepare: () => Promise<void>;
  fill: (db: Database) => Promise<void>;
}

/** Everything that differs between SQLite and PostgreSQL, except the search, whose parts `byEngine` picks. */
export interface Engine {
  /** Whether the database is a file in the data folder, which only one process serves. */
  isFile: boolean;

  open: (settings: DatabaseSettings, options?: OpenOptions) => Database;
  /**
   * Opens an existing database for reading, also while a server uses it, without statement timeouts.
   * @returns undefined when there is no file
   */
  openToRead: (settings: DatabaseSettings) => Database | undefined;
  /** Checks, before anything is written, that there is a usable database or none was lost. @throws UnfitDatabase */
  inspect: (settings: DatabaseSettings) => void;
  /** Claims the database for a server, where only one may serve it. @returns a function that releases it @throws DataDirInUse */
  claim: (settings: DatabaseSettings) => () => void;
  /** Whether a server runs on the database. */
  isServed: (settings: DatabaseSettings, db: Database) => Promise<boolean>;
  /** Runs the start of a server, until it listens, while no restore fills the database. @param onWait called when it waits for one */
  withoutRestore: <T>(
    settings: DatabaseSettings,
    work: () => Promise<T>,
    onWait: () => void,
  ) => Promise<T>;
  /** Whether a restore is filling the database of these settings, which does not exist before it has finished. */
  isRestoring: (settings: DatabaseSettings) => boolean;
  /** Fills an empty database, so that a failure leaves nothing and no server starts on a part of it. @throws UnfitTarget, InUse */
  fillEmpty: (settings: DatabaseSettings, steps: FillSteps) => Promise<void>;

  /** Name and version of the engine. */
  version: (db: Database) => Promise<string>;
  /** @throws OperatorError when its version is too old */
  requireVersion: (db: Database) => Promise<void>;
  /**
   * Checks that the database responds and, where something else than the disk can forbid them, that it takes writes,
   * without writing. @throws ReadOnlyDatabase, DatabaseUnavailable
   */
  requireWritable: (db: Database) => Promise<void>;
  /** Size in bytes of the whole database with its indexes, which a copy of its rows hardly exceeds. */
  size: (db: Database) => Promise<number>;
  hasTable: (db: Database, name: string) => Promise<boolean>;

  /** @param db opened with the settings; work gets one without time limits */
  whileMigrating: (
    settings: DatabaseSettings,
    db: Database,
    work: (db: Database) => Promise<void>,
  ) => Promise<void>;
  /** Makes sure that one transaction at a time migrates. */
  lockMigrations: (trx: Database) => Promise<void>;
  /** Copies the database to a file; undefined where only a backup can. */
  copy: { extension: string; write: (db: Database, file: string) => Promise<void> } | undefined;
  /** Gathers the statistics that plans need, after a database was filled. */
  analyze: (trx: Database) => Promise<void>;
  /** Numbers the next row of a table with an identity column after this number. */
  continueIds: (trx: Database, table: keyof Tables, last: Expression<unknown>) => Promise<void>;

  transactions: (db: Database) => WithSilentTransaction;
  /** Lets statements of the transaction wait so long for a lock, instead of the time for all. */
  waitForLocks: (trx: Database, ms: number) => Promise<void>;
  /** Lets the transaction commit before it is on disk, for work that is done again when a crash takes it back. */
  commitLazily: (trx: Database) => Promise<void>;
  /** Runs work under a lock. @returns undefined, without running work, when another process holds the lock */
  tryWithLock: <T>(
    place: { db: Database; config: DatabaseSettings },
    name: LockName,
    work: (confirmLock: ConfirmLock) => Promise<T>,
  ) => Promise<T | undefined>;
  /** Notifies other processes when the transaction commits, where they do not notice by themselves. */
  notify: (trx: Database, topic: string, payload: string) => Promise<void>;
  /** Listens to the changes of other processes until it is closed. */
  listen: (settings: DatabaseSettings, db: Database, listener: Listener) => Promise<Listening>;

  /** Streams the rows of a query in batches. Must be called within a transaction, which can run no other query meanwhile. */
  stream: <DB, Table extends keyof DB, Row>(
    db: Database,
    query: SelectQueryBuilder<DB, Table, Row>,
  ) => AsyncGenerator<Row[]>;
  /** A column to order by the bytes of its text. */
  byBytes: (column: string) => RawBuilder<unknown>;
  /** A table with these texts in its column `value`. */
  givenTexts: (texts: string[]) => RawBuilder<unknown>;
  /** Sets a text within a column of JSON. */
  setJson: (column: string, path: string[], value: string) => RawBuilder<string>;
}
