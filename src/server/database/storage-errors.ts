/** `unavailable`: what is there can perhaps still be read. */
export type StorageTrouble = 'storage_full' | 'unavailable';

/** By the low byte of SQLite's code, which is the kind of error; the rest is its details. */
const sqliteKinds: Record<number, StorageTrouble> = {
  5: 'unavailable', // SQLITE_BUSY: another process holds the lock
  6: 'unavailable', // SQLITE_LOCKED
  8: 'unavailable', // SQLITE_READONLY
  10: 'unavailable', // SQLITE_IOERR
  13: 'storage_full', // SQLITE_FULL
  14: 'unavailable', // SQLITE_CANTOPEN
};
/** The system's, and PostgreSQL's. */
const codes: Record<string, StorageTrouble> = {
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  EROFS: 'unavailable',
  EIO: 'unavailable',
  EACCES: 'unavailable',
  '53100': 'storage_full',
  '25006': 'unavailable', // It takes no writes: a standby.
};

/** What keeps the disk, or the database on it, from doing its work; it may be well again later. */
export function storageTrouble(error: unknown): StorageTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error) return sqliteKinds[Number(error.errcode) & 0xff];
  return 'code' in error ? codes[String(error.code)] : undefined;
}

/** True while another process holds the lock on the SQLite file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
