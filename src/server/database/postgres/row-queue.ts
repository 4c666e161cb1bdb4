import pLimit from 'p-limit';
import { DatabaseUnavailable } from '../errors.ts';

/**
 * Connections that writers of one row may hold. Its lock lets them go on one at a time anyway; the
 * second has begun its transaction by the time the first commits.
 */
const writersPerRow = 2;
/** At work and waiting: a second or two of a busy channel's comments. */
const mostWriters = 500;

/** Does the work in its turn. @throws DatabaseUnavailable; what the work throws */
export type InTurn = <T>(row: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets few writers of the same row hold connections at once, so that those who wait for a row that
 * stays locked cannot use up the pool. When one of them is told that the database is unavailable, so
 * are those who wait for their turn: each would wait as long again.
 */
export function rowQueues(): InTurn {
  const rows = new Map<string, { limit: ReturnType<typeof pLimit>; writers: number }>();
  return async (row, work) => {
    const limit = () => pLimit({ concurrency: writersPerRow, rejectOnClear: true });
    const turns = rows.get(row) ?? { limit: limit(), writers: 0 };
    if (turns.writers >= mostWriters) {
      throw new DatabaseUnavailable(new Error('too many wait for a row'));
    }
    rows.set(row, turns);
    turns.writers += 1;
    try {
      return await turns.limit(() =>
        work().catch((error: unknown) => {
          // Here, before the next has its turn.
          if (error instanceof DatabaseUnavailable) turns.limit.clearQueue();
          throw error;
        }),
      );
    } catch (error) {
      // What p-limit rejects those with who were still waiting.
      if (error instanceof DOMException) throw new DatabaseUnavailable(error);
      throw error;
    } finally {
      turns.writers -= 1;
      if (turns.writers === 0) rows.delete(row);
    }
  };
}
