import pLimit, { type LimitFunction } from 'p-limit';
import { DatabaseUnavailable } from '../errors.ts';

/** Running and queued writers of one row: a few seconds of a busy channel's comments. */
const maxWriters = 500;

/** Queues work by row. @throws DatabaseUnavailable when the queue is full or was cleared */
export type RowQueue = <T>(row: string, work: () => Promise<T>) => Promise<T>;

/**
 * Runs the writers of each row one after the other, as the row's lock would: eleven writers of a locked channel would
 * take all ten connections, so that nobody could read. Nor do they wait in PostgreSQL for one another, and fail after
 * `timeoutsMs.lock` while a busy process takes its time. When one of them fails with
 * DatabaseUnavailable, the row's queued writers fail with it, because each would wait just as long.
 */
export function rowQueues(): RowQueue {
  const queues = new Map<string, LimitFunction>();
  return async (row, work) => {
    const queue = queues.get(row) ?? pLimit({ concurrency: 1, rejectOnClear: true });
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
