import { useRef, useState } from 'react';

/** `run` calls `action`, unless an earlier call is still running. */
export function useExclusive<Args extends unknown[]>(action: (...args: Args) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const run = async (...args: Args) => {
    // Not `isBusy`, which is old until the next rendering.
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    try {
      await action(...args);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, run };
}
