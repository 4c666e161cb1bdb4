/** Extended code SQLITE_CONSTRAINT_FOREIGNKEY, and PostgreSQL's foreign_key_violation. */
const violations = new Set<unknown>([787, '23503']);
const mostAttempts = 3;

/**
 * Repeats work that failed because another transaction deleted a row that it refers to, or added a row that
 * refers to one that it deletes. The next attempt sees the other transaction's changes.
 */
export async function repeatOnViolation<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === mostAttempts || !isViolation(error)) throw error;
    }
  }
}

function isViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return violations.has('errcode' in error ? error.errcode : 'code' in error && error.code);
}
