import { setImmediate as nextTurn } from 'node:timers/promises';

/** Takes some milliseconds. */
const perTurn = 200;

/**
 * Does the same for each of many without holding everyone else up meanwhile. The first are done at
 * once; what is added or taken away in between is heeded where the iterable does so, as sets do.
 */
export async function forEachYielding<T>(
  items: Iterable<T>,
  act: (item: T) => void,
): Promise<void> {
  let count = 0;
  for (const item of items) {
    act(item);
    if (++count % perTurn === 0) await nextTurn();
  }
}
