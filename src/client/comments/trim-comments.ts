import type { Dispatch } from 'react';
import { commentAnchor } from '../../shared/routes.ts';
import { keepInPlace } from '../components/keep-in-place.ts';
import type { Action } from '../state/actions.ts';
import type { AppState } from '../state/state.ts';

/** Comments on the page from which the oldest leave it, and how many stay. */
const trimFrom = 600;
const trimTo = 500;

/**
 * Bounds the number of comments on the page while live ones arrive: the oldest leave it if they are
 * more than a screen above the reader. For a reader near the top, new ones are counted and no longer
 * shown.
 * @returns what `before` takes to load those that left; null when none did
 */
export function trimComments(
  channelId: string,
  getState: () => AppState,
  dispatch: Dispatch<Action>,
): string | null {
  const findChannel = () => getState().channels.get(channelId);
  const comments = findChannel()?.comments ?? [];
  if (comments.length <= trimFrom) return null;
  const spare = comments.length - trimTo;
  const first = comments[spare];
  const element = first && document.getElementById(commentAnchor(first.number));
  if (!element || element.getBoundingClientRect().top > -innerHeight) {
    dispatch({ type: 'COMMENTS_MISSED', channelId });
    return null;
  }
  keepInPlace(element, () =>
    dispatch({ type: 'COMMENTS_TRIMMED', channelId, first: first.number }),
  );
  // The address leads to comments that left. Back leads to the newest, which stay (`usePlace`).
  const kept = { n: String(comments.at(-1)?.number) };
  history.replaceState({ ...history.state, kept }, '');
  return findChannel()?.moreBefore ?? null;
}
