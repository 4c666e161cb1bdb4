import { passTurns } from './pass-turns.ts';

/** Processor time that long work uses before other requests and other long work run. */
const sliceMicros = 8000;

/** Callbacks that start the next slice of waiting work, in order. */
const waiting: (() => void)[] = [];
let isRotating = false;

/** Lets other requests run, when work begins and when its slice is used up. Call it between steps. */
export type YieldIfDue = () => Promise<void>;

/**
 * Gives slices of the event loop to the long work of this process, such as searches and long lists, one at a
 * time.
 * @param signal ends the work at its next call, which throws the signal's reason
 */
export function timeSlices(signal?: AbortSignal): YieldIfDue {
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
    // The callback runs before the next turn of the event loop.
    waiting.shift()?.();
  }
  isRotating = false;
}
