/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const sqliteCodes = new Set<unknown>([2067, 1555]);

/** Whether an insert or update failed because another row has the same unique key. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && sqliteCodes.has(error.errcode)) return true;
  return 'code' in error && error.code === '23505';
}
