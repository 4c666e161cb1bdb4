import { apiRoutes } from '../../../shared/api-routes.ts';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Thankful } from '../../../shared/people.ts';
import type { CommentVote, NewVote } from '../../../shared/polls.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineUserCall } from '../../api/call.ts';

export const voteInPoll = defineUserCall<CommentKey & NewVote, CommentVote>(
  'PUT',
  ({ channelId, number }) => apiRoutes.votes(channelId, number),
  { body: ({ options }) => ({ options }) },
);

/** People who voted for one option, after a cursor. */
export const listVoters = defineUserCall<
  CommentKey & { option: number; after: string | null },
  { data: Thankful[]; next: string | null }
>('GET', ({ channelId, number, option, after }) =>
  withQuery(apiRoutes.votes(channelId, number), { option, after }),
);
