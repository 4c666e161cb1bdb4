import { commentsAnchor } from '../../shared/routes.ts';
import type { Anchors } from '../components/anchors.tsx';

/**
 * Reads the other comments of the list before one is removed: those after it, from the nearest, and then those
 * before it. @returns a function that focuses the first of them once it is removed, if the focus was in it
 */
export function neighbourFocus(item: Element | null | undefined, anchors: Anchors): () => void {
  const items = [...(item?.parentElement?.children ?? [])];
  const index = item ? items.indexOf(item) : -1;
  const neighbours = [...items.slice(index + 1), ...items.slice(0, Math.max(0, index)).reverse()];
  return () =>
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const neighbour = neighbours.find((one) => one.isConnected && one.checkVisibility());
      anchors.focus(neighbour?.id ?? commentsAnchor);
    });
}
