import { type CommentKey, commentId } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { Failure, orFailure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { listComments } from './comment-calls.ts';

/** @returns the current version of a comment; null when it is unknown */
export async function fetchComment({ channelId, number }: CommentKey): Promise<Comment | null> {
  const range = { after: commentId(channelId, number - 1) };
  const page = await orFailure(request(listComments, { channelId, range }));
  if (page instanceof Failure) return null;
  return page.data.find((one) => one.number === number) ?? null;
}
