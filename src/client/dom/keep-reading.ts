import { keepInPlace } from './keep-in-place.ts';

/**
 * Changes comments while the content that the reader sees keeps its position: the focused field or, without one, the
 * first comment in the window that stays on the page.
 */
export function keepReading(change: () => void): void {
  const { activeElement } = document;
  const isField = activeElement?.matches('textarea, input') && isInView(activeElement);
  keepInPlace(isField ? [activeElement] : itemsInView(), change);
}

/** The comments in view and the elements after them, searched from the end, where most readers of a long list are. */
function itemsInView(): Element[] {
  const items = document.querySelectorAll('li[id^="comentario-"], #ultimo, footer');
  const upwards = [...items].reverse();
  const fromLast = upwards.slice(upwards.findIndex(isInView));
  const above = fromLast.findIndex((item) => !isInView(item));
  return (above < 0 ? fromLast : fromLast.slice(0, above)).reverse();
}

/** Whether part of the element is in the visible part of the window: a phone's keyboard covers the rest. */
export function isInView(element: Element | null): boolean {
  if (!element) return false;
  const { top, bottom } = element.getBoundingClientRect();
  const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight };
  return bottom > offsetTop && top < offsetTop + height;
}
