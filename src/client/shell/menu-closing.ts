import { type RefObject, useEffect } from 'react';
import { isOutside } from './menu.tsx';

interface MenuClosingProps {
  popover: RefObject<HTMLElement | null>;
  button: RefObject<HTMLElement | null>;
}

/** Makes a click outside the open menu, which closes it, do nothing else. */
export function MenuClosing({ popover, button }: MenuClosingProps) {
  useEffect(() => {
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    let isClosing = false;
    const onPress = ({ target }: Event) => {
      isClosing = !!popover.current?.matches(':popover-open') && isOutside(target, popover, button);
    };
    const swallow = (event: MouseEvent) => {
      // The click of a key has no count.
      if (!isClosing || event.detail === 0) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('pointerdown', onPress, options);
    addEventListener('mousedown', swallow, options);
    addEventListener('click', swallow, options);
    return () => stop.abort();
  }, [popover, button]);
  return null;
}
