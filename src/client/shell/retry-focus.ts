import { useEffect } from 'react';

/** Moves the focus from a clicked retry button, which a success removes, to the element around it. */
export function RetryFocus() {
  useEffect(() => {
    const onClick = ({ target }: Event) => {
      const button = target instanceof Element && target.closest('[role="alert"] + button');
      if (!button) return;
      button.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    };
    addEventListener('click', onClick, { capture: true });
    return () => removeEventListener('click', onClick, { capture: true });
  }, []);
  return null;
}
