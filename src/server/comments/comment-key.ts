import Type from 'typebox';
import { maxNumber } from '../../shared/comment-id.ts';
import { ApiError } from '../http/api-error.ts';
import type { CommentKey } from './stored-comments.ts';

/** Parameters of routes of one comment. `parseCommentKey` responds 404 to a malformed number. */
export const commentKeyParameters = Type.Object({ id: Type.String(), number: Type.String() });

/** @throws ApiError `comment_not_found` for a number that no comment can have */
export function parseCommentKey({ id, number }: { id: string; number: string }): CommentKey {
  const parsed = /^[1-9]\d{0,9}$/.test(number) ? Number(number) : 0;
  if (parsed === 0 || parsed > maxNumber) throw new ApiError('comment_not_found');
  return { channelId: id, number: parsed };
}
