import { useEffect } from 'react';

/**
 * Scrolls an element into view when it appears, as an error message that a key far from it has caused.
 * @param elementId null while there is none
 */
export function useShown(elementId: string | null): void {
  useEffect(() => {
    if (elementId) document.getElementById(elementId)?.scrollIntoView({ block: 'nearest' });
  }, [elementId]);
}
