import type { Dispatch } from 'react';
import { commentAnchor } from '../../shared/routes.ts';
import { keepInPlace } from '../components/keep-in-place.ts';
import type { Action } from '../state/actions.ts';
import type { AppState } from '../state/state.ts';

/** Comments on the page from which the oldest leave it, and how many stay. */
const trimFrom = 600;
const trimTo = 500;

/**
 * Bounds the number of comments on the page while live ones arrive: those more than a screen above
 * the reader leave it. For a reader at the top, new ones are counted and no longer shown.
 */
export function trimComments(
  channelId: string,
  getState: () => AppState,
  dispatch: Dispatch<Action>,
): void {
  const comments = getState().channels.get(channelId)?.comments ?? [];
  if (comments.length <= trimFrom) return;
  const elementOf = (number: number) => document.getElementById(commentAnchor(number));
  const near = comments.findIndex(({ number }) => {
    const box = elementOf(number)?.getBoundingClientRect();
    return box !== undefined && box.bottom > -innerHeight;
  });
  const spare = comments.length - trimTo;
  const first = comments[near < 0 ? spare : Math.min(near, spare)];
  if (near === 0 || !first) {
    dispatch({ type: 'COMMENTS_MISSED', channelId });
    return;
  }
  keepInPlace(elementOf(first.number), () =>
    dispatch({ type: 'COMMENTS_TRIMMED', channelId, first: first.number }),
  );
}
