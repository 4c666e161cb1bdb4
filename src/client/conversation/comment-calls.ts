import { apiRoutes } from '../../shared/api-routes.ts';
import { type CommentKey, commentId } from '../../shared/comment-id.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import type { Comment, CommentPage, Mine } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { PendingList } from '../../shared/pending.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineCall, defineUserCall } from '../api/call.ts';
import { Failure, orFailure } from '../api/failures.ts';
import { request } from '../api/request.ts';

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

/** @returns the current version of a comment; null when it is unknown */
export async function fetchComment({ channelId, number }: CommentKey): Promise<Comment | null> {
  const range = { after: commentId(channelId, number - 1) };
  const page = await orFailure(request(listComments, { channelId, range }));
  if (page instanceof Failure) return null;
  return page.data.find((one) => one.number === number) ?? null;
}

/** Asks for which comments of a range the account gave thanks. */
export const getMine = defineUserCall<{ channelId: string; from: number; to: number }, Mine>(
  'GET',
  ({ channelId, from, to }) => withQuery(apiRoutes.mine(channelId), { from, to }),
);

/** The account's comments and channels that await a moderator or were rejected, newest last. */
export const listPendingPosts = defineUserCall<void, PendingList>('GET', apiRoutes.pendingPosts);
