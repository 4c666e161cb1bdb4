import { useEffect, useRef } from 'react';
import { showStatus } from '../components/status-bar.tsx';

/** While an upload is needed: asks before the tab is left, and says what is lost once the page is. */
export function useLeaving(isNeeded: boolean, lossText: string): void {
  const wasNeeded = useRef(false);
  useEffect(() => {
    wasNeeded.current = isNeeded;
    if (!isNeeded) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isNeeded]);
  useEffect(
    () => () => {
      if (wasNeeded.current) showStatus({ text: lossText });
    },
    [lossText],
  );
}
