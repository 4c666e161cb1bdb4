import { passTurns } from './pass-turns.ts';

/** Processor time that long work uses before other requests and other long work get their turn. */
const sliceMicros = 8000;

/** Work that waits for its next slice, in order. */
const waiting: (() => void)[] = [];
let isRotating = false;

/** Lets other requests run before long work, and when it has used up its slice; call it between steps. */
export type TakeTurn = () => Promise<void>;

/**
 * Gives slices of the event loop to all long work of this process, such as a search or a long list, one at a time.
 * @param signal ends the work at its next turn, which throws the signal's reason
 */
export function takeTurns(signal?: AbortSignal): TakeTurn {
  let start: NodeJS.CpuUsage | undefined;
  return async () => {
    signal?.throwIfAborted();
    if (start) {
      const { user, system } = process.threadCpuUsage(start);
      if (user + system < sliceMicros) return;
    }
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      void rotate();
    });
    signal?.throwIfAborted();
    start = process.threadCpuUsage();
  };
}

async function rotate(): Promise<void> {
  if (isRotating) return;
  isRotating = true;
  while (waiting.length > 0) {
    await passTurns();
    // It runs before the next turn of the event loop.
    waiting.shift()?.();
  }
  isRotating = false;
}
