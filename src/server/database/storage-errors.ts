/** `unavailable`: writing fails, reading may still work. */
export type StorageFailure = 'storage_full' | 'unavailable';

/** By primary result code: the low byte of SQLite's extended code. */
const sqliteKinds: Record<number, StorageFailure> = {
  5: 'unavailable', // SQLITE_BUSY: another process holds the lock
  6: 'unavailable', // SQLITE_LOCKED
  8: 'unavailable', // SQLITE_READONLY
  10: 'unavailable', // SQLITE_IOERR
  13: 'storage_full', // SQLITE_FULL
  14: 'unavailable', // SQLITE_CANTOPEN
};
/** System error codes and PostgreSQL SQLSTATEs. */
const codes: Record<string, StorageFailure> = {
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  EROFS: 'unavailable',
  EIO: 'unavailable',
  EACCES: 'unavailable',
  '53100': 'storage_full',
  '25006': 'unavailable', // read_only_sql_transaction: the server is a standby
};

/** Classifies a failure of the disk or the database that may pass; undefined for other errors. */
export function classifyStorageError(error: unknown): StorageFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error) return sqliteKinds[Number(error.errcode) & 0xff];
  return 'code' in error ? codes[String(error.code)] : undefined;
}

/** Whether SQLite failed because another connection holds the file lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
