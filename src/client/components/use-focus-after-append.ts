import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the first appended element after a list has grown by its 'more' link.
 * @returns a function to call with the id of that element
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
