import { apiRoutes } from '../../../shared/api-routes.ts';
import type { MemberList, NewAccountList, Queue } from '../../../shared/moderation.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineUserCall } from '../../api/call.ts';

export interface QueuePage {
  state: 'open' | 'pending' | 'decided';
  /** The `next` of the previous page; null for the first page. */
  after: string | null;
}

export const listQueue = defineUserCall<QueuePage, Queue>('GET', ({ state, after }) =>
  withQuery(apiRoutes.queue, { state, after }),
);

/** Accounts opened between two times, in ISO 8601; null means now. */
export const listNewAccounts = defineUserCall<{ from: string; to: string | null }, NewAccountList>(
  'GET',
  ({ from, to }) => withQuery(apiRoutes.newAccounts, { from, to }),
);

/** Accounts with a word in their name that begins with `q`; all accounts when it is empty. */
export const listMembers = defineUserCall<{ q: string; after: string | null }, MemberList>(
  'GET',
  ({ q, after }) => withQuery(apiRoutes.members, { q: q || null, after }),
);
