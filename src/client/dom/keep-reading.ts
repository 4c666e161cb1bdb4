import { keepInPlace } from './keep-in-place.ts';

/**
 * Changes comments without moving what the reader sees: the field with the focus or, without one, the
 * first comment in the window that stays on the page.
 */
export function keepReading(change: () => void): void {
  const { activeElement } = document;
  const isField = activeElement?.matches('textarea, input') && isInView(activeElement);
  keepInPlace(isField ? [activeElement] : itemsInView(), change);
}

/** The comments in view and what follows them. Searched from the end, where most people are in a long list. */
function itemsInView(): Element[] {
  const items = document.querySelectorAll('li[id^="comentario-"], #ultimo, footer');
  const upwards = [...items].reverse();
  const fromLast = upwards.slice(upwards.findIndex(isInView));
  const above = fromLast.findIndex((item) => !isInView(item));
  return (above < 0 ? fromLast : fromLast.slice(0, above)).reverse();
}

/** Whether a part of the element is in the part of the window that is seen: the keyboard of a phone covers the rest. */
export function isInView(element: Element | null): boolean {
  if (!element) return false;
  const { top, bottom } = element.getBoundingClientRect();
  const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight };
  return bottom > offsetTop && top < offsetTop + height;
}
