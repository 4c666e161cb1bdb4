import { apiRoutes } from '../../shared/api-routes.ts';
import type { ArrivalList, Decision, NewDecision, Queue } from '../../shared/moderation.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineUserCall } from '../api/call.ts';
import { type Failure, type Result, refusalText } from '../api/failures.ts';
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

/** The decision that was made, or the one that was made before, which a refusal has. */
export const decisionOf = (result: Result<Decision>): Decision | undefined =>
  result.ok ? result.value : result.problem?.decision;

/** Why a moderator's call failed. To others, their routes are not there. */
export const staffFailureText = (failure: Failure): string =>
  failure.problem?.code === 'not_found' ? queueTexts.roleLost : refusalText(failure);

/**
 * Undoes a decision and says so, also when it is undone already; or says why it could not be, with a button to try
 * again.
 */
export async function undo(id: string, onUndone: (undone: Decision) => void): Promise<void> {
  let result = await request(undoDecision, id);
  // The answer may be lost. A decision that is undone already comes with the refusal.
  if (!result.ok && !result.problem) result = await request(undoDecision, id);
  const undone = decisionOf(result);
  if (undone?.undoneAt) {
    showStatus({ text: staffTexts.undone });
    onUndone(undone);
  } else if (!result.ok) {
    const text = `${staffTexts.notUndone} ${staffFailureText(result)}`;
    showStatus({ text, action: { label: staffTexts.undo, run: () => undo(id, onUndone) } });
  }
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
