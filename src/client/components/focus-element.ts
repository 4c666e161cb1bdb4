/** Moves the focus to an element just appended, whose 'more' link now stands below it or is removed. */
export function focusElement(elementId: string): void {
  document.getElementById(elementId)?.focus({ preventScroll: true });
}
