import { apiRoutes } from '../../shared/api-routes.ts';
import type { ArrivalList, Decision, NewDecision, Queue } from '../../shared/moderation.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineUserCall } from '../api/call.ts';

export const decide = defineUserCall<NewDecision, Decision>('POST', apiRoutes.decisions, {
  has: 'id',
});

export const undoDecision = defineUserCall<string, Decision>('POST', apiRoutes.undoDecision, {
  has: 'id',
});

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
