import { apiRoutes } from '../../shared/api-routes.ts';
import type { CommentRange } from '../../shared/comment-range.ts';
import type { Comment, CommentEdit, CommentPage, NewComment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { MentionCandidate } from '../../shared/people.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineCall } from '../api/call.ts';
import { type IdempotentRequest, idempotencyKey } from '../api/idempotent-request.ts';

type CommentKey = Pick<Comment, 'channelId' | 'number'>;

const commentPath = ({ channelId, number }: CommentKey) =>
  apiRoutes.channelComment(channelId, number);

/** A page of a channel's comments at a place. */
export const listComments = defineCall<{ channelId: string; place: CommentRange }, CommentPage>({
  path: ({ channelId, place }) =>
    withQuery(apiRoutes.channelComments(channelId), { ...place, limit: limits.commentsPerPage }),
  has: 'data',
});

/** The comments that answer one, after a cursor. */
export const listReplies = defineCall<
  CommentKey & { after: string | null },
  Pick<CommentPage, 'data' | 'next'>
>({
  path: ({ channelId, number, after }) =>
    withQuery(apiRoutes.replies(channelId, number), { after, limit: limits.commentsPerPage }),
  has: 'data',
});

export const sendComment = defineCall<IdempotentRequest<NewComment>, Comment>({
  method: 'PUT',
  path: () => apiRoutes.comment,
  headers: idempotencyKey,
  body: ({ body }) => body,
  has: 'id',
  needsSession: true,
  credentials: 'include',
});

export const editComment = defineCall<
  CommentKey & { revision: number; edit: CommentEdit },
  Comment
>({
  method: 'PATCH',
  path: commentPath,
  headers: ({ revision }) => ({ 'if-match': `"${revision}"` }),
  body: ({ edit }) => edit,
  has: 'id',
  needsSession: true,
});

export const deleteComment = defineCall<CommentKey, undefined>({
  method: 'DELETE',
  path: commentPath,
  needsSession: true,
});

export const restoreComment = defineCall<CommentKey, Comment>({
  method: 'POST',
  path: ({ channelId, number }) => apiRoutes.restoreComment(channelId, number),
  has: 'id',
  needsSession: true,
});

const changeThanks = (method: 'PUT' | 'DELETE') =>
  defineCall<CommentKey, { count: number; mine: boolean }>({
    method,
    path: ({ channelId, number }) => apiRoutes.thanks(channelId, number),
    has: 'count',
    needsSession: true,
  });

export const giveThanks = changeThanks('PUT');
export const withdrawThanks = changeThanks('DELETE');

/** The numbers of comments in a range that the account gave thanks for. */
export const listThanked = defineCall<
  { channelId: string; from: number; to: number },
  { data: number[] }
>({
  path: ({ channelId, from, to }) => withQuery(apiRoutes.thanked(channelId), { from, to }),
  has: 'data',
  needsSession: true,
});

/** People whose name begins with the prefix, those who wrote in the channel last first. */
export const listCandidates = defineCall<
  { channel: string; prefix: string },
  { data: MentionCandidate[] }
>({
  path: (search) => withQuery(apiRoutes.users, search),
  has: 'data',
  needsSession: true,
});
