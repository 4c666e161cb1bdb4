import { codeOf } from '../system/error-code.ts';
import { OperatorError } from '../system/operator-error.ts';

/**
 * A temporary failure: PostgreSQL is unreachable, does not respond or has no free connection, or
 * another process holds the lock of the SQLite file.
 */
export class DatabaseUnavailable extends Error {
  /** A sentence for the operator: what failed and what to do. */
  readonly advice: string | undefined;
  constructor(cause: unknown, advice?: string) {
    super('the database is unavailable', { cause });
    this.advice = advice;
  }
}

/** PostgreSQL is a standby, or the database is set to read only. */
export class ReadOnlyDatabase extends OperatorError {
  constructor(cause?: unknown) {
    super(
      'PostgreSQL takes no writes: it is a standby, or default_transaction_read_only is on. Promote it, or let DATABASE_URL name the primary.',
      { cause },
    );
  }
}

export class UnfitDatabase extends OperatorError {}

/** The database or the backup has migrations that this version does not know. */
export class OtherVersion extends UnfitDatabase {
  constructor(unknown: string[]) {
    // Until 1.0.0 the first migration had other names.
    const early = unknown.find((name) => name.startsWith('001-'));
    super(
      early
        ? `The database or the backup (${early}) is from before 1.0.0, and cannot be read. Nothing was changed. With the program that made it each person can still save an export; then begin with an empty database and image store.`
        : `The database or the backup is newer than this version, which does not know its migration ${unknown.at(-1)}. Nothing was changed. Run the version that made it, or restore an older backup into an empty database.`,
    );
  }
}

/** The database has tables that no migration of tertulia created. */
export class ForeignDatabase extends UnfitDatabase {
  constructor() {
    super(
      'The database has tables of another program, or lost its list of migrations. Nothing was changed. Begin with an empty database, or restore a backup into one.',
    );
  }
}

/** A malformed cursor, or one issued before the site was restored. */
export class InvalidCursor extends Error {
  constructor() {
    super('invalid cursor');
  }
}

/** SQLite's extended result code, PostgreSQL's SQLSTATE or a system error code; undefined for other errors. */
function databaseCode(error: unknown): unknown {
  return error instanceof Error && 'errcode' in error ? error.errcode : codeOf(error);
}

/** SQLite's primary result code: the low byte of the extended one. 0 for errors that are not SQLite's. */
export function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

/** Whether SQLite failed because another connection holds the file lock. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === 5;
}

/** Extended codes SQLITE_CONSTRAINT_UNIQUE and _PRIMARYKEY, and PostgreSQL's unique_violation. */
const uniqueViolations = new Set<unknown>([2067, 1555, '23505']);

/** Whether an insert or update failed because another row has the same unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return uniqueViolations.has(databaseCode(error));
}

/** Extended code SQLITE_CONSTRAINT_FOREIGNKEY, and PostgreSQL's foreign_key_violation. */
const foreignKeyViolations = new Set<unknown>([787, '23503']);

/** Whether a written row refers to a missing one, or other rows refer to a deleted one. */
export function isForeignKeyViolation(error: unknown): boolean {
  return foreignKeyViolations.has(databaseCode(error));
}

/** With `unavailable`, writing fails but reading may still work. */
export type StorageFailure = 'storage_full' | 'unavailable';

/** Keys are SQLite's primary result codes, system error codes and PostgreSQL SQLSTATEs. */
const storageFailures: Record<string, StorageFailure> = {
  5: 'unavailable', // SQLITE_BUSY: another process holds the lock
  6: 'unavailable', // SQLITE_LOCKED
  8: 'unavailable', // SQLITE_READONLY
  10: 'unavailable', // SQLITE_IOERR
  13: 'storage_full', // SQLITE_FULL
  14: 'unavailable', // SQLITE_CANTOPEN
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  EROFS: 'unavailable',
  EIO: 'unavailable',
  EACCES: 'unavailable',
  '53100': 'storage_full',
  '25006': 'unavailable', // PostgreSQL's read_only_sql_transaction
};

/** Whether PostgreSQL refused to write: it is a standby, or its database is set to read only. */
export function isReadOnlyError(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** Ignores a failed write, so that reading works with a full or read-only disk. The next use retries. */
export async function ignoringStorage(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable || classifyStorageError(error))) throw error;
  }
}

/** Classifies a failure of the disk or the database that may be temporary; undefined for other errors. */
export function classifyStorageError(error: unknown): StorageFailure | undefined {
  return storageFailures[String(sqliteCode(error) || codeOf(error))];
}
