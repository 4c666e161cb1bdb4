import { apiRoutes } from '../../shared/api-routes.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import type { CommentPage, Mine } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { PendingList } from '../../shared/pending.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineCall, defineUserCall } from '../api/call.ts';

export interface CommentListing {
  channelId: string;
  range: CommentRange;
  limit?: number;
}

export const listComments = defineCall<CommentListing, CommentPage>(
  'GET',
  ({ channelId, range, limit = limits.commentsPerPage }) =>
    withQuery(apiRoutes.channelComments(channelId), { ...range, limit }),
);

/** Asks for which comments of a range the account gave thanks. */
export const getMine = defineUserCall<{ channelId: string; from: number; to: number }, Mine>(
  'GET',
  ({ channelId, from, to }) => withQuery(apiRoutes.mine(channelId), { from, to }),
);

/** The account's comments and channels that await a moderator or were rejected, newest last. */
export const listPendingPosts = defineUserCall<void, PendingList>('GET', apiRoutes.pendingPosts);
