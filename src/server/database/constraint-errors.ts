/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const sqliteCodes = new Set<unknown>([2067, 1555]);

/** True when the database refused a row because another one has its key. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && sqliteCodes.has(error.errcode)) return true;
  return 'code' in error && error.code === '23505';
}
