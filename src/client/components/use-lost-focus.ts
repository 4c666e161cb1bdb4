import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

/**
 * Calls `moveFocus` after an element that had the focus was removed, unless something else has it by then.
 * @param moveFocus gets the sibling that is now in the place of the element, else the nearest visible one, if any
 */
export function useLostFocus(
  element: RefObject<HTMLElement | null>,
  moveFocus: (next: HTMLElement | undefined) => void,
): void {
  const move = useEffectEvent(moveFocus);
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      const { parentElement } = current;
      const siblings = () => [...(parentElement?.children ?? [])] as HTMLElement[];
      const index = siblings().indexOf(current);
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const nearest = [...siblings().slice(index), ...siblings().slice(0, index).reverse()];
        move(nearest.find((one) => one.checkVisibility()));
      });
    };
  }, [element]);
}
