import { flushSync } from 'react-dom';

/** Changes the page without moving an element on the screen. */
export function keepInPlace(element: Element | null, change: () => void): void {
  // Otherwise the browser would move the page as well, where it has scroll anchoring.
  const { style } = document.documentElement;
  style.overflowAnchor = 'none';
  const top = element?.getBoundingClientRect().top ?? 0;
  flushSync(change);
  if (element?.isConnected) scrollBy(0, element.getBoundingClientRect().top - top);
  requestAnimationFrame(() => {
    style.overflowAnchor = '';
  });
}
