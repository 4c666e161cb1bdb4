import type { Anchors } from '../components/anchors.tsx';

/** Moves the focus to the text field in the element with this id, and shows it with what is around it. */
export function focusField(id: string, { find }: Anchors): void {
  const field = find(id)?.querySelector<HTMLTextAreaElement>('textarea:not([readonly])');
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'center' });
}
