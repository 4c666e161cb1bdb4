/** Distance from the edge of the window, in CSS pixels: the style sheet's `--space-3`. */
const edge = 12;

/**
 * Keeps the bar away from the fields of the page and from the focused element: at the bottom of the
 * window, else at its top, else at the end of the page. There it stays, because a page that gets
 * shorter while it is scrolled to its end moves under the pointer. @returns a function that stops it
 */
export function keepClear(bar: HTMLElement): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let pathOfEnd = '';
  const move = () => {
    if (pathOfEnd === location.pathname) return;
    bar.dataset.edge = freeEdge(bar);
    pathOfEnd = bar.dataset.edge === 'end' ? location.pathname : '';
  };
  const growth = new ResizeObserver(move);
  const main = document.querySelector('main');
  if (main) growth.observe(main);
  growth.observe(bar);
  addEventListener('scroll', move, { signal, passive: true, capture: true });
  addEventListener('resize', move, { signal });
  addEventListener('focusin', move, { signal });
  move();
  return () => {
    stop.abort();
    growth.disconnect();
  };
}

function freeEdge(bar: HTMLElement): 'bottom' | 'top' | 'end' {
  const { height } = bar.getBoundingClientRect();
  const isFree = (top: number) => {
    return !obstacles(bar).some((box) => box.bottom > top && box.top < top + height);
  };
  if (isFree(innerHeight - edge - height)) return 'bottom';
  return isFree(edge) ? 'top' : 'end';
}

/** The boxes that must stay visible. */
function obstacles(bar: HTMLElement): DOMRect[] {
  const { activeElement } = document;
  const fields = [...document.querySelectorAll('input, textarea, select, [contenteditable]')];
  // The body and <main> have the focus when no control has it.
  const hasFocus = activeElement && !['body', 'main'].includes(activeElement.localName);
  const elements = hasFocus && !bar.contains(activeElement) ? [...fields, activeElement] : fields;
  return elements
    .map((element) => element.getBoundingClientRect())
    .filter(({ width }) => width > 0);
}
