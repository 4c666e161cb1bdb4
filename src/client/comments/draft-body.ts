import type { CommentEdit, NewComment } from '../../shared/comments.ts';
import { type Failure, failureText, fieldError } from '../api/failures.ts';
import type { IdempotentRequest } from '../api/idempotent-request.ts';
import type { CommentDraft } from './comment-draft.ts';
import { storedRanges } from './mention-ranges.ts';

/** The text of a draft with its mentions and images, as the server takes them. */
export function contentOf({ text, mentions, images }: CommentDraft): CommentEdit {
  const ranges = storedRanges(text, mentions);
  return {
    comment: text,
    ...(ranges.length > 0 && { mentions: ranges }),
    ...(images.length > 0 && { images }),
  };
}

/** What a draft of a new comment sends besides the ids of its channel and author. */
export function newContentOf(draft: CommentDraft): Partial<NewComment> & CommentEdit {
  const { reply } = draft;
  return {
    ...contentOf(draft),
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

/** Whether the original was edited, so that the quotation does not occur in it any more. */
export const isExcerptRefused = (failure: Failure) =>
  fieldError(failure, 'replyExcerpt') !== undefined;

/** The same reply without its quotation, which would not be shown anyway. */
export function withoutExcerpt({ key, body }: IdempotentRequest<NewComment>) {
  const { replyExcerpt, ...rest } = body;
  return { key: `${key}-2`, body: rest };
}
