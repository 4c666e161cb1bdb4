import { apiRoutes } from '../../shared/api-routes.ts';
import type { ArrivalList, Decision, NewDecision, Queue } from '../../shared/moderation.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineUserCall } from '../api/call.ts';
import { type Failure, isRefused, refusalText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { showStatus } from '../components/status-bar.tsx';
import { queueTexts, staffTexts } from './moderation-texts.ts';

export const decide = defineUserCall<NewDecision, Decision>('POST', apiRoutes.decisions, {
  has: 'id',
});

const undoDecision = defineUserCall<string, Decision>('POST', apiRoutes.undoDecision, {
  has: 'id',
});

/** A decision as it is now, to follow the work of a wave. */
export const getDecision = defineUserCall<string, Decision>('GET', apiRoutes.decision, {
  has: 'id',
});

/** Why a moderator's call failed. To others, their routes are not there. */
export const staffFailureText = (failure: Failure): string =>
  failure.problem?.code === 'not_found' ? queueTexts.roleLost : refusalText(failure);

interface UndoOptions {
  /** News for the status bar once it is undone. */
  said?: string;
  /** Offered when the server was not reached, where the page has no button for it. */
  retry?: () => void;
}

/**
 * Undoes a decision, unless it is undone already, and says that it is, or why it could not be.
 * @returns the undone decision, or null
 */
export async function undo(
  id: string,
  { said = staffTexts.undone, retry }: UndoOptions = {},
): Promise<Decision | null> {
  let result = await request(undoDecision, id);
  // It may be undone already, or now although the answer was lost.
  if (!result.ok && (!result.problem || result.problem.status === 409)) {
    const now = await request(getDecision, id);
    if (now.ok && now.value.undoneAt) result = now;
  }
  if (result.ok) {
    showStatus({ text: said });
    return result.value;
  }
  const action = retry && !isRefused(result) && { label: staffTexts.undo, run: retry };
  const text = `${staffTexts.notUndone} ${staffFailureText(result)}`;
  showStatus({ text, ...(action && { action }) });
  return null;
}

export interface QueuePage {
  state: 'open' | 'pending' | 'decided';
  /** The `next` of the page before; null for the first page. */
  after: string | null;
}

export const listQueue = defineUserCall<QueuePage, Queue>(
  'GET',
  ({ state, after }) => withQuery(apiRoutes.queue, { state, after }),
  { has: 'data' },
);

/** Between two times, as ISO 8601. */
export const listArrivals = defineUserCall<{ from: string; to: string }, ArrivalList>(
  'GET',
  ({ from, to }) => withQuery(apiRoutes.arrivals, { from, to }),
  { has: 'data' },
);
