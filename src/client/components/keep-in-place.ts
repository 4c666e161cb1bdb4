import { flushSync } from 'react-dom';

/** Changes the page without moving an element on the screen. */
export function keepInPlace(element: Element | null, change: () => void): void {
  keepFirstInPlace(element ? [element] : [], change);
}

/** Keeps the first of the elements in place that is still there after the change. */
export function keepFirstInPlace(elements: (Element | null)[], change: () => void): void {
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
