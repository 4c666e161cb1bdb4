import { useEffect, useRef } from 'react';

/**
 * Keeps a keyboard's place when a list grows by its 'more' link, which then stands below what was
 * appended or is gone: call the returned function with the id of the element to go to.
 */
export function useFocusAfterAppend(): (elementId: string | undefined) => void {
  const wanted = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!wanted.current) return;
    const element = document.getElementById(wanted.current);
    if (!element) return;
    element.focus({ preventScroll: true });
    wanted.current = undefined;
  });
  return (elementId) => {
    wanted.current = elementId;
  };
}
