const gapPx = 8;

/** The width from which the bar is at the top, as in status-view.module.css. */
const narrow = '(width < 780px)';

/** Keeps the bar and the focused field from covering each other. @returns a function that ends this */
export const placeBar = (bar: HTMLElement): (() => void) =>
  matchMedia(narrow).matches ? placeAtFoot(bar) : placeAtTop(bar);

const findField = (selector: string) => document.querySelector(`main :is(${selector}):focus`);

/** Elements that are focused or scrolled to end up below the bar. */
function placeAtTop(bar: HTMLElement): () => void {
  const { style } = document.documentElement;
  const { bottom } = bar.getBoundingClientRect();
  style.scrollPaddingBlockStart = `${bottom + gapPx}px`;
  const field = findField('input, textarea, h2');
  const box = field?.getBoundingClientRect();
  if (box && box.top < bottom && box.bottom > 0) field?.scrollIntoView({ block: 'start' });
  return () => {
    style.scrollPaddingBlockStart = '';
  };
}

/**
 * Places the bar at the foot of the visible part of the window, which is above a phone's keyboard, or above the field in
 * which something is typed.
 */
function placeAtFoot(bar: HTMLElement): () => void {
  const { style } = document.documentElement;
  const place = () => {
    const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight };
    const foot = offsetTop + height;
    const field = findField('input, textarea');
    const box = field?.getBoundingClientRect();
    const isInView = box && box.bottom > offsetTop && box.top < foot;
    const highest = offsetTop + bar.offsetHeight + 2 * gapPx;
    const bottom = isInView ? Math.max(highest, Math.min(box.top, foot)) : foot;
    // Measured, since browsers differ in what a fixed element's edges are relative to while the keyboard is open.
    bar.style.insetBlockEnd = '0px';
    const lowest = bar.getBoundingClientRect().bottom;
    bar.style.insetBlockEnd = `${lowest - bottom + gapPx}px`;
    style.scrollPaddingBlockEnd = `${lowest - foot + bar.offsetHeight + 2 * gapPx}px`;
    return isInView && box.top < highest ? { field, highest } : null;
  };
  const placeWithField = () => {
    const covered = place();
    if (!covered) return;
    style.scrollPaddingBlockStart = `${covered.highest}px`;
    covered.field?.scrollIntoView({ block: 'start' });
  };
  placeWithField();
  const stop = new AbortController();
  const { signal } = stop;
  // In the next frame, when the browser has scrolled to the focused element.
  const placeSoon = () => requestAnimationFrame(() => signal.aborted || placeWithField());
  addEventListener('focusin', placeSoon, { signal });
  visualViewport?.addEventListener('resize', placeWithField, { signal });
  visualViewport?.addEventListener('scroll', () => place(), { signal });
  return () => {
    stop.abort();
    style.scrollPaddingBlock = '';
  };
}
