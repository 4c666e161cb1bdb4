import { keepInPlace } from './keep-in-place.ts';

/**
 * Changes comments without moving what the reader sees: the field with the focus or, without one, the
 * first comment in the window that stays on the page.
 */
export function keepReading(change: () => void): void {
  const { activeElement } = document;
  const items = document.querySelectorAll('li[id^="comentario-"], #ultimo, footer');
  const isField = activeElement?.matches('textarea, input');
  const inView = [...(isField ? [activeElement] : []), ...items].filter(isInView);
  keepInPlace(inView, change);
}

export function isInView(element: Element | null): boolean {
  if (!element) return false;
  const { top, bottom } = element.getBoundingClientRect();
  // The keyboard of a phone covers a part of the window.
  const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight };
  return bottom > offsetTop && top < offsetTop + height;
}
