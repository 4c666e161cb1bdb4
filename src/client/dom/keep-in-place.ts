import { flushSync } from 'react-dom';

/** Changes the page while the first of these elements that is still connected afterwards keeps its position. */
export function keepInPlace(elements: (Element | null | undefined)[], change: () => void): void {
  const tops = elements.map((element) => element?.getBoundingClientRect().top ?? 0);
  withoutAnchoring(() => {
    flushSync(change);
    const kept = elements.findIndex((element) => element?.isConnected);
    const growth = (elements[kept]?.getBoundingClientRect().top ?? 0) - (tops[kept] ?? 0);
    if (growth !== 0) scrollBy({ top: growth, behavior: 'instant' });
  });
}

/** Scrolls with scroll anchoring switched off, since the browser would otherwise move the page as well. */
export function withoutAnchoring(scroll: () => void): void {
  const { style } = document.documentElement;
  style.overflowAnchor = 'none';
  scroll();
  requestAnimationFrame(() => {
    style.overflowAnchor = '';
  });
}
