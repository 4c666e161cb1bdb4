import { flushSync } from 'react-dom';

/** Changes the page without moving the first of these elements that is still there afterwards. */
export function keepInPlace(elements: (Element | null | undefined)[], change: () => void): void {
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
