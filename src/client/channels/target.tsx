import { useEffect, useRef } from 'react';
import type { CommentRange } from '../../shared/comment-range.ts';
import { commentAnchor } from '../../shared/routes.ts';
import { useAnchors } from '../components/anchors.tsx';
import { showAwaited, useFragment, useIsAwaited, useQuery } from '../router/navigation.tsx';
import { useKeptPlace } from './kept-place.ts';

interface TargetProps {
  channelId: string;
  range: CommentRange;
  isLoaded: boolean;
  /** Whether the server has rendered the page: the browser has scrolled to its place then. */
  isFromServer: boolean;
}

/**
 * Marks the comment that the address names, and shows it when a link to it was followed. Keeps the
 * reader's place for Back.
 */
export function Target({ channelId, range, isLoaded, isFromServer }: TargetProps) {
  const n = new URLSearchParams(useQuery()).get('n');
  const fragment = useFragment();
  const id = fragment || (n ? commentAnchor(Number(n)) : '');
  const isFirst = useRef(isFromServer);
  const isAwaited = useIsAwaited();
  const { find } = useAnchors();
  useKeptPlace(channelId, range, isLoaded);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the element may come when the page is loaded
  useEffect(() => {
    const element = find(id);
    element?.setAttribute('data-target', '');
    if (element && isFirst.current) {
      isFirst.current = false;
      if (document.activeElement === document.body) element.focus({ preventScroll: true });
      if (!location.hash && scrollY === 0) element.scrollIntoView();
    }
    return () => element?.removeAttribute('data-target');
  }, [id, isLoaded, find]);

  useEffect(() => {
    const element = isAwaited && isLoaded && find(id);
    if (element) showAwaited(element);
  }, [id, isAwaited, isLoaded, find]);
  return null;
}
