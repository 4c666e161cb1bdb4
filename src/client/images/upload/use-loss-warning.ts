import { useEffect, useRef } from 'react';
import { showStatus } from '../../ui/status/status-bar.tsx';

/** Makes the browser ask for confirmation before the tab is left. */
export function useLeaveQuestion(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}

/**
 * While something would be lost, such as an upload, asks for confirmation before the tab is left, and shows `lossText`
 * in the status bar when the page is left.
 */
export function useLossWarning(isNeeded: boolean, lossText: string): void {
  const wasNeeded = useRef(false);
  useLeaveQuestion(isNeeded);
  useEffect(() => {
    wasNeeded.current = isNeeded;
  }, [isNeeded]);
  useEffect(
    () => () => {
      if (wasNeeded.current) showStatus({ text: lossText });
    },
    [lossText],
  );
}
