/** Distance from the edge of the window, in CSS pixels: the style sheet's `--space-3`. */
const edge = 12;
/** Distance between two places that are tried, in CSS pixels. */
const step = 8;

/**
 * Keeps the bar away from the fields and alerts of the page, the focused element and the slim bar of a channel and, once
 * scrolling has ended, from links and buttons, if there is such a place: the lowest in the window, else the end of
 * the page. There it stays, because a page that gets shorter while it is scrolled to its end moves under the
 * pointer. @returns a function that stops it
 */
export function keepClear(bar: HTMLElement): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let pathOfEnd = '';
  let top: number | undefined;
  const move = (event?: Event) => {
    if (pathOfEnd === location.pathname) return;
    // The message does not move while the pointer is on it, so that a click hits it.
    const isUsed = bar.contains(document.activeElement) || bar.matches(':hover');
    top = findTop(bar, isUsed || event?.type === 'scroll' ? top : undefined);
    bar.dataset.edge = top === undefined ? 'end' : 'none';
    bar.style.insetBlockStart = top === undefined ? '' : `${top}px`;
    pathOfEnd = top === undefined ? location.pathname : '';
  };
  const growth = new ResizeObserver(() => move());
  const main = document.querySelector('main');
  if (main) growth.observe(main);
  growth.observe(bar);
  for (const type of ['scroll', 'scrollend', 'resize', 'focusin']) {
    addEventListener(type, move, { signal, passive: true, capture: true });
  }
  move();
  return () => {
    stop.abort();
    growth.disconnect();
  };
}

/** @param preferred a place that is taken if only links and buttons are there */
function findTop(bar: HTMLElement, preferred: number | undefined): number | undefined {
  const { left, right, height } = bar.getBoundingClientRect();
  const isFreeOf = (boxes: DOMRect[]) => (top: number) =>
    boxes.every((box) => {
      const isBeside = box.right <= left || box.left >= right;
      return isBeside || box.bottom <= top || box.top >= top + height;
    });
  const tops: number[] = [];
  for (let top = innerHeight - edge - height; top >= edge; top -= step) tops.push(top);
  const possible = tops.filter(isFreeOf(mustBeSeen(bar)));
  if (preferred !== undefined && possible.includes(preferred)) return preferred;
  return possible.find(isFreeOf(boxesOf('a, button', bar))) ?? possible[0];
}

/** The boxes that the bar never covers; beside fields and the focus it is not either. */
function mustBeSeen(bar: HTMLElement): DOMRect[] {
  const boxes = boxesOf('input, textarea, select, [contenteditable], [role="alert"]', bar);
  const { activeElement } = document;
  // The body and <main> have the focus when no control has it.
  const hasFocus = activeElement && !['body', 'main'].includes(activeElement.localName);
  if (hasFocus && !bar.contains(activeElement)) boxes.push(activeElement.getBoundingClientRect());
  const rows = boxes.map(({ top, height }) => new DOMRect(0, top, innerWidth, height));
  return [...rows, ...boxesOf('aside[data-passed]', bar)];
}

/** The boxes of visible elements outside the bar. Those whose rendering is skipped have none. */
function boxesOf(selector: string, bar: HTMLElement): DOMRect[] {
  return [...document.querySelectorAll(selector)]
    .filter((one) => !bar.contains(one) && one.checkVisibility({ contentVisibilityAuto: true }))
    .map((one) => one.getBoundingClientRect())
    .filter(({ width }) => width > 0);
}
