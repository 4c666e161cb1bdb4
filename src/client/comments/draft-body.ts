import type { Dispatch } from 'react';
import type { Comment, NewComment } from '../../shared/comments.ts';
import { type Failure, failureText, fieldError, type Result } from '../api/failures.ts';
import type { IdempotentRequest } from '../api/idempotent-request.ts';
import { type RequestOptions, request } from '../api/request.ts';
import type { Action } from '../state/actions.ts';
import { sendComment } from './comment-calls.ts';
import type { CommentContent } from './comment-draft.ts';
import { storedRanges } from './mention-ranges.ts';

/** What is sent of a comment besides the ids of its channel and author. */
export function bodyOf({ text, mentions, images, reply }: CommentContent) {
  const ranges = storedRanges(text, mentions);
  return {
    comment: text,
    ...(ranges.length > 0 && { mentions: ranges }),
    ...(images.length > 0 && { images }),
    ...(reply && { replyTo: reply.number }),
    ...(reply?.excerpt && { replyExcerpt: reply.excerpt }),
  };
}

/** The fields of a comment that its author chooses: with others, it is another comment. */
export const typedFields = ['comment', 'mentions', 'images', 'replyTo', 'replyExcerpt'] as const;

/** Why a comment was refused: the message for the first wrong field, or for the whole. */
export function refusalText(failure: Failure): string {
  return failure.problem?.errors?.[0]?.message ?? failureText(failure);
}

/** Sends a new comment and adds it to the state. A quotation that the original lacks now is left out. */
export async function postComment(
  { key, body }: IdempotentRequest<NewComment>,
  dispatch: Dispatch<Action>,
  options?: RequestOptions,
): Promise<Result<Comment>> {
  let result = await request(sendComment, { key, body }, options);
  if (!result.ok && fieldError(result, 'replyExcerpt') !== undefined) {
    const { replyExcerpt, ...rest } = body;
    result = await request(sendComment, { key: `${key}-2`, body: rest }, options);
  }
  if (result.ok) {
    // As specified, the response is written to the console.
    console.log(result.value);
    dispatch({ type: 'ADD_COMMENT', comment: result.value });
  }
  return result;
}
