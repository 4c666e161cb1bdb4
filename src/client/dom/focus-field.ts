/** Focuses a field in the element with this id, or that element if it has none, and scrolls it to the centre. */
export function focusField(id: string, selector = 'textarea:not([readonly])'): void {
  const area = document.getElementById(id);
  const field = area?.querySelector<HTMLElement>(selector) ?? area;
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'center' });
}
