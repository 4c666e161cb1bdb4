import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long searching holds the event loop before other requests get their turn. */
const sliceMs = 8;

/** @returns waits a turn of the event loop when it has been busy for a slice; call it between steps */
export function takeTurns(): () => Promise<void> {
  let startedMs = performance.now();
  return async () => {
    if (performance.now() - startedMs < sliceMs) return;
    await nextTurn();
    startedMs = performance.now();
  };
}
