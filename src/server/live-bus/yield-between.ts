import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** A batch takes a few milliseconds. */
const batchSize = 200;

/**
 * Calls `act` for each item and yields to the event loop between batches. The first batch runs
 * synchronously. A set may change in between: its iterator sees additions and deletions.
 */
export async function forEachYielding<T>(
  items: Iterable<T>,
  act: (item: T) => void,
): Promise<void> {
  let count = 0;
  for (const item of items) {
    act(item);
    if (++count % batchSize === 0) await yieldToEventLoop();
  }
}
