/** Log for failures, such as the server's. */
export interface FailureLog {
  error: (details: { err: unknown }, message: string) => void;
}

/**
 * Runs a task that is repeated later and whose failure must not stop the start or other tasks. Logs a
 * failure, unless the process is stopping, which interrupts tasks.
 * @returns undefined when it failed
 */
export async function attempt<T>(
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
