import type { Anchors } from '../components/anchors.tsx';

/** Moves the focus to the text field in the element with this id, or to that element, and shows it with what is around it. */
export function focusField(id: string, { find }: Anchors): void {
  const area = find(id);
  const field = area?.querySelector<HTMLElement>('textarea:not([readonly])') ?? area;
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'center' });
}
