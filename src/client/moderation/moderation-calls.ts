import { apiRoutes } from '../../shared/api-routes.ts';
import type { ArrivalList, Decision, NewDecision, Queue } from '../../shared/moderation.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineUserCall } from '../api/call.ts';
import { failureText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { showStatus } from '../components/status-bar.tsx';
import { staffTexts } from './moderation-texts.ts';

export const decide = defineUserCall<NewDecision, Decision>('POST', apiRoutes.decisions, {
  has: 'id',
});

const undoDecision = defineUserCall<string, Decision>('POST', apiRoutes.undoDecision, {
  has: 'id',
});

/** Undoes a decision, and says that it did, or why it could not. @returns the undone decision, or null */
export async function undo(id: string, said: string = staffTexts.undone): Promise<Decision | null> {
  const result = await request(undoDecision, id);
  const failed = result.ok ? '' : `${staffTexts.notUndone} ${failureText(result)}`;
  showStatus({ text: failed || said });
  return result.ok ? result.value : null;
}

/** A decision as it is now, to follow the work of a wave. */
export const getDecision = defineUserCall<string, Decision>('GET', apiRoutes.decision, {
  has: 'id',
});

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
