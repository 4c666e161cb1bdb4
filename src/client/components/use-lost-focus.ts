import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

/** Calls `moveFocus` after an element that had the focus was removed, unless something else has it by then. */
export function useLostFocus(element: RefObject<Element | null>, moveFocus: () => void): void {
  const move = useEffectEvent(moveFocus);
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) move();
      });
    };
  }, [element]);
}
