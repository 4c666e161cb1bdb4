const gapPx = 8;

/**
 * Places the bar at the top of the visible part of the window, which a phone's keyboard moves, and keeps what has the
 * focus below it. @returns a function that ends this
 */
export function placeBar(bar: HTMLElement): () => void {
  const { style } = document.documentElement;
  const place = () => {
    // Measured, since browsers differ in what a fixed element's edges are relative to while the keyboard is open.
    bar.style.insetBlockStart = '0px';
    const highest = bar.getBoundingClientRect().top;
    const top = (visualViewport?.offsetTop ?? 0) + gapPx;
    bar.style.insetBlockStart = `${top - highest}px`;
    const { bottom } = bar.getBoundingClientRect();
    style.scrollPaddingBlockStart = `${bottom + gapPx}px`;
    const focused = document.querySelector('main :is(input, textarea, h2):focus');
    const box = focused?.getBoundingClientRect();
    if (box && box.top < bottom && box.bottom > top) focused?.scrollIntoView({ block: 'start' });
  };
  place();
  visualViewport?.addEventListener('resize', place);
  return () => {
    visualViewport?.removeEventListener('resize', place);
    style.scrollPaddingBlockStart = '';
  };
}
