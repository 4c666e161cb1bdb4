import { apiRoutes } from '../../shared/api-routes.ts';
import type { CommentKey } from '../../shared/comment-id.ts';
import type { Comment, CommentEdit, CommentPage } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { PendingPost } from '../../shared/pending.ts';
import type { MentionCandidate, Thankful } from '../../shared/people.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineCall, defineUserCall } from '../api/call.ts';

const commentPath = ({ channelId, number }: CommentKey) =>
  apiRoutes.channelComment(channelId, number);

/** A page of a list that belongs to a comment, after a cursor. */
type PageOf = CommentKey & { after: string | null };

export const listReplies = defineCall<PageOf, Pick<CommentPage, 'data' | 'next'>>(
  'GET',
  ({ channelId, number, after }) =>
    withQuery(apiRoutes.replies(channelId, number), { after, limit: limits.commentsPerPage }),
);

export const editComment = defineUserCall<
  CommentKey & { revision: number; edit: CommentEdit },
  Comment
>('PATCH', commentPath, {
  headers: ({ revision }) => ({ 'if-match': `"${revision}"` }),
  body: ({ edit }) => edit,
});

export const deleteComment = defineUserCall<CommentKey, undefined>('DELETE', commentPath);

export const restoreComment = defineUserCall<CommentKey, Comment>('POST', ({ channelId, number }) =>
  apiRoutes.restoreComment(channelId, number),
);

const changeThanks = (method: 'PUT' | 'DELETE') =>
  defineUserCall<CommentKey, { count: number; mine: boolean }>(method, ({ channelId, number }) =>
    apiRoutes.thanks(channelId, number),
  );

export const listThanks = defineCall<PageOf, { data: Thankful[]; next: string | null }>(
  'GET',
  ({ channelId, number, after }) =>
    withQuery(apiRoutes.thanks(channelId, number), { after, limit: limits.commentsPerPage }),
);

export const giveThanks = changeThanks('PUT');
export const withdrawThanks = changeThanks('DELETE');

/** People whose name begins with the prefix, ordered by their latest comment in the channel, newest first. */
export const listCandidates = defineUserCall<
  { channel: string; prefix: string },
  { data: MentionCandidate[] }
>('GET', (search) => withQuery(apiRoutes.users, search));

export const withdrawPendingPost = defineUserCall<string, PendingPost>(
  'DELETE',
  apiRoutes.pendingPost,
);
