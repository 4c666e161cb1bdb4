/** Moves the focus to the text field in the element with this id, or to that element, and shows it with what is around it. */
export function focusField(id: string): void {
  const area = document.getElementById(id);
  const field = area?.querySelector<HTMLElement>('textarea:not([readonly])') ?? area;
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'center' });
}
