import { type RefObject, useEffect } from 'react';

/**
 * Closes the user's menu when the focus leaves it, and makes a click outside the open menu, which
 * closes it, do nothing else.
 */
export function useMenuClosing(
  menuRef: RefObject<HTMLElement | null>,
  buttonRef: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const menu = menuRef.current;
    const button = buttonRef.current;
    if (!menu) return;
    const isOutside = (target: EventTarget | null) =>
      target instanceof Node && !menu.contains(target) && !button?.contains(target);

    const stop = new AbortController();
    const { signal } = stop;
    const options = { capture: true, signal };
    let isClosing = false;
    const onPress = ({ target }: Event) => {
      isClosing = menu.matches(':popover-open') && isOutside(target);
    };
    const suppressClick = (event: MouseEvent) => {
      // The `detail` of a click counts presses of the pointer; a key's is 0.
      if (!isClosing || event.detail === 0) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onLeave = ({ target, relatedTarget }: FocusEvent) => {
      if (!isOutside(target) && isOutside(relatedTarget)) menu.hidePopover();
    };
    addEventListener('pointerdown', onPress, options);
    addEventListener('mousedown', suppressClick, options);
    addEventListener('click', suppressClick, options);
    addEventListener('focusout', onLeave, { signal });
    return () => stop.abort();
  }, [menuRef, buttonRef]);
}
