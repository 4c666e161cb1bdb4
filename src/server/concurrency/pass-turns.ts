import { setImmediate as nextTurn } from 'node:timers/promises';

const turns = 16;

/**
 * Waits some turns of the event loop, which cost microseconds when nothing else is to be done. Call it between
 * pieces of work of milliseconds: answering another request takes several turns, and in each of them Node
 * accepts one new connection only.
 */
export async function passTurns(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn();
}
