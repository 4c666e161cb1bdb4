import { flushSync } from 'react-dom';

/** Changes the page without moving an element on the screen. */
export function keepInPlace(element: Element | null, change: () => void): void {
  keepFirstInPlace(element ? [element] : [], change);
}

/**
 * Changes comments without moving what the reader sees: the field with the focus or, without one, the
 * first comment in the window that stays on the page.
 */
export function keepReading(change: () => void): void {
  const { activeElement } = document;
  const items = document.querySelectorAll('li[id^="comentario-"], #ultimo, footer');
  const isField = activeElement?.matches('textarea, input');
  const inView = [...(isField ? [activeElement] : []), ...items].filter(isInView);
  keepFirstInPlace(inView, change);
}

/** Keeps the first of the elements in place that is still there after the change. */
function keepFirstInPlace(elements: (Element | null)[], change: () => void): void {
  // Otherwise the browser would move the page as well, where it has scroll anchoring.
  const { style } = document.documentElement;
  style.overflowAnchor = 'none';
  const tops = elements.map((element) => element?.getBoundingClientRect().top ?? 0);
  flushSync(change);
  const kept = elements.findIndex((element) => element?.isConnected);
  const growth = (elements[kept]?.getBoundingClientRect().top ?? 0) - (tops[kept] ?? 0);
  if (growth !== 0) scrollBy({ top: growth, behavior: 'instant' });
  requestAnimationFrame(() => {
    style.overflowAnchor = '';
  });
}

function isInView(element: Element | null): boolean {
  if (!element) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
