import { apiRoutes } from '../../../shared/api-routes.ts';
import type { MemberList, Queue } from '../../../shared/moderation.ts';
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

export interface MemberFilter {
  /** The beginning of a word of the name; empty for all accounts. */
  q: string;
  /** Whether to list only members that no moderator has approved. */
  isUnapproved: boolean;
}

export const memberQuery = ({ q, isUnapproved }: MemberFilter) => ({
  q: q || null,
  unapproved: isUnapproved ? 1 : null,
});

export const listMembers = defineUserCall<MemberFilter & { after: string | null }, MemberList>(
  'GET',
  ({ after, ...filter }) => withQuery(apiRoutes.members, { ...memberQuery(filter), after }),
);
