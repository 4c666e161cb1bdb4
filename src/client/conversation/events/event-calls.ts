import { apiRoutes } from '../../../shared/api-routes.ts';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type {
  Attendee,
  CommentRsvps,
  EventEdit,
  NewRsvp,
  RsvpResult,
} from '../../../shared/events.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineUserCall } from '../../api/call.ts';
import { accountKey } from '../../api/query-client.ts';

export const answerEvent = defineUserCall<CommentKey & { rsvp: NewRsvp }, RsvpResult>(
  'PUT',
  ({ channelId, number }) => apiRoutes.rsvp(channelId, number),
  { body: ({ rsvp }) => rsvp },
);

export const changeEvent = defineUserCall<
  CommentKey & { revision: number; edit: EventEdit },
  Comment
>('PATCH', ({ channelId, number }) => apiRoutes.event(channelId, number), {
  headers: ({ revision }) => ({ 'if-match': `"${revision}"` }),
  body: ({ edit }) => edit,
});

/** People who answered to one date, after a cursor. */
export const listAttendees = defineUserCall<
  CommentKey & { date: number; after: string | null },
  { data: Attendee[]; next: string | null }
>('GET', ({ channelId, number, date, after }) =>
  withQuery(apiRoutes.rsvps(channelId, number), { date, after }),
);

export const listOwnRsvps = defineUserCall<{ from: string; to: string }, { data: CommentRsvps[] }>(
  'GET',
  (period) => withQuery(apiRoutes.ownRsvps, period),
);

/** The key of an account's answers in a period; `from` and `to` follow. */
export const ownRsvpsKey = (userId: string) => [...accountKey(userId), 'rsvps'];
