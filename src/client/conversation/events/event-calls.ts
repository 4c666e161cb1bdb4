import { apiRoutes } from '../../../shared/api-routes.ts';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { Attendee, EventEdit, NewRsvp, RsvpResult } from '../../../shared/events.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineUserCall } from '../../api/call.ts';

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
