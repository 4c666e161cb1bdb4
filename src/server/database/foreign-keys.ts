import { isForeignKeyViolation } from './errors.ts';

const mostAttempts = 3;

/**
 * Repeats work that failed because another transaction deleted a row that the work refers to, or inserted a
 * reference to a row that the work deletes. The next attempt sees the other transaction's changes.
 */
export async function repeatOnViolation<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === mostAttempts || !isForeignKeyViolation(error)) throw error;
    }
  }
}
