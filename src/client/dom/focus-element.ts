/** Focuses the element with this id without scrolling: at once, or when it has been rendered. */
export function focusElement(id: string): void {
  const focus = () => document.getElementById(id)?.focus({ preventScroll: true });
  if (document.getElementById(id)) focus();
  else requestAnimationFrame(focus);
}
