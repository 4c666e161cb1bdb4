import { setTimeout as delay } from 'node:timers/promises';

/** Log for failures, such as the server's. */
export interface FailureLog {
  error: (details: { err: unknown }, message: string) => void;
}

/**
 * Runs a task that is repeated later and whose failure must not stop the start or other tasks. Logs a
 * failure, unless the process is stopping, which interrupts tasks.
 * @returns undefined when it failed
 */
export async function logFailure<T>(
  { stopping }: { stopping?: AbortSignal },
  name: string,
  log: FailureLog,
  task: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (!stopping?.aborted) log.error({ err: error }, `${name} failed; it is repeated`);
    return undefined;
  }
}

/** Stops a repeated task; resolves when it has stopped. */
export type Repeating = () => Promise<void>;

interface Repetition {
  name: string;
  log: FailureLog;
  everyMs: number;
  afterFailureMs: number;
}

/** Repeats a task in the background until it is stopped. A failure is logged, and delays the next run. */
export function repeatTask(
  services: { stopping?: AbortSignal },
  { name, log, everyMs, afterFailureMs }: Repetition,
  task: (ending: AbortSignal) => Promise<void>,
): Repeating {
  const controller = new AbortController();
  const { signal } = controller;
  const run = async () => {
    while (!signal.aborted) {
      const isDone = await logFailure(services, name, log, async () => {
        await task(signal);
        return true;
      });
      const waitMs = isDone ? everyMs : afterFailureMs;
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return () => {
    controller.abort();
    return running;
  };
}
