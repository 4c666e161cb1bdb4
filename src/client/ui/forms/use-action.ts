import { useState } from 'react';

/**
 * An action with at most one state: running, done or failed. Pages that guests open use it without loading the library
 * of queries.
 * @returns `run` rejects as the action does
 */
export function useAction<Input, Output>(action: (input: Input) => Promise<Output>) {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (input: Input): Promise<Output> => {
    setPending(true);
    setError(null);
    try {
      return await action(input);
    } catch (reason) {
      setError(reason);
      throw reason;
    } finally {
      setPending(false);
    }
  };
  return { run, isPending, error, reset: () => setError(null) };
}
