import pLimit, { type LimitFunction } from 'p-limit';
import { DatabaseUnavailable } from '../errors.ts';

/**
 * Connections that writers of one row hold. The row lock serialises them anyway. With a second one, a writer could wait
 * in PostgreSQL for another of this process, and fail after `timeoutsMs.lock` while a busy process takes its time.
 */
const writersPerRow = 1;
/** Running and queued writers of one row: a few seconds of a busy channel's comments. */
const maxWriters = 500;

/** Queues work by row. @throws DatabaseUnavailable when the queue is full or was cleared */
export type RowQueue = <T>(row: string, work: () => Promise<T>) => Promise<T>;

/**
 * Limits the concurrent writers of each row, so that a row that stays locked cannot use up the pool.
 * When one of them fails with DatabaseUnavailable, the row's queued writers fail with it, because each would
 * wait just as long.
 */
export function rowQueues(): RowQueue {
  const queues = new Map<string, LimitFunction>();
  return async (row, work) => {
    const queue = queues.get(row) ?? pLimit({ concurrency: writersPerRow, rejectOnClear: true });
    const writers = () => queue.activeCount + queue.pendingCount;
    if (writers() >= maxWriters) {
      throw new DatabaseUnavailable(new Error('too many writers wait for one row'));
    }
    queues.set(row, queue);
    try {
      return await queue(() =>
        work().catch((error: unknown) => {
          // Clear the queue before p-limit starts the next writer.
          if (error instanceof DatabaseUnavailable) queue.clearQueue();
          throw error;
        }),
      );
    } catch (error) {
      // p-limit rejects cleared writers with an AbortError.
      if (error instanceof DOMException) throw new DatabaseUnavailable(error);
      throw error;
    } finally {
      if (writers() === 0) queues.delete(row);
    }
  };
}
