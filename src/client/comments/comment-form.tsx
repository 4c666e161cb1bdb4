import { useId, useState } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { commentAnchor, commentLink } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, isRefused, refusalText } from '../api/failures.ts';
import { idempotentRequest } from '../api/idempotent-request.ts';
import { type Anchors, useAnchors } from '../components/anchors.tsx';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { go } from '../router/navigation.tsx';
import type { AppState } from '../state/state.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { changeDraft, readDraft, useDraft } from '../storage/drafts.ts';
import { bodyOf, clearSent, newCommentDraft } from './comment-draft.ts';
import styles from './comment-form.module.css';
import { CommentImagesField, pendingImageText } from './comment-images-field.tsx';
import { CommentTextField } from './comment-text-field.tsx';
import { commentTexts } from './comment-texts.ts';
import { enqueueComment, postComment } from './outbox.ts';
import { QueuedComments } from './queued-comments.tsx';
import { ReplyChip } from './reply-chip.tsx';
import { useRescuedEdits } from './use-rescued-edits.ts';

const formId = 'comentar';

/** Moves the focus to the form of a new comment. */
export function focusCommentForm({ find }: Anchors): void {
  const form = find(formId);
  form?.querySelector('textarea')?.focus({ preventScroll: true });
  form?.scrollIntoView({ block: 'center' });
}

interface CommentFormProps {
  channelId: string;
}

export function CommentForm({ channelId }: CommentFormProps) {
  const store = useStore();
  const { getState } = store;
  const anchors = useAnchors();
  const { register } = anchors;
  const { id: userId, name, img } = useUser();
  const draft = newCommentDraft(userId, channelId);
  const reply = useDraft(draft, ({ reply }) => reply);
  const hasRescue = useDraft(draft, ({ isRescued }) => isRescued);
  const [failure, setFailure] = useState<Failure | 'uploading' | null>(null);
  const id = useId();
  const focusField = () => anchors.find(formId)?.querySelector('textarea')?.focus();

  useRescuedEdits(channelId, () => focusCommentForm(anchors));

  const { isBusy, onSubmit } = useSubmit(async (_form, isShown) => {
    const typed = readDraft(draft);
    if (typed.uploads.length > 0) return setFailure('uploading');
    setFailure(null);
    const author = { autor: name, autorId: userId, autorImg: img ?? '' };
    const body = { id: channelId, ...bodyOf(typed), ...author };
    const request = idempotentRequest(typed.request, body);
    changeDraft(draft, { request });
    const result = await postComment(request, store);
    if (result.ok) {
      // A user who has left the page meanwhile stays where they are.
      if (isShown()) showSent(result.value, getState, anchors);
      showStatus({ text: accountTexts.commentSent });
    } else if (result.problem) {
      if (isRefused(result)) changeDraft(draft, { request: null });
      return setFailure(result);
    } else {
      enqueueComment(userId, request);
    }
    clearSent(draft, typed);
  });

  const notes = [hasRescue && `${id}-rescue`, reply && `${id}-reply`, failure && `${id}-alert`]
    .filter(Boolean)
    .join(' ');
  return (
    <>
      <QueuedComments channelId={channelId} canEdit onRemoved={focusField} />
      <form ref={register} id={formId} className={styles.form} method="post" onSubmit={onSubmit}>
        {hasRescue && <Alert id={`${id}-rescue`}>{commentTexts.editRescued}</Alert>}
        {reply && (
          <ReplyChip
            id={`${id}-reply`}
            channelId={channelId}
            draft={draft}
            reply={reply}
            onRemoved={focusField}
          />
        )}
        <CommentTextField
          draft={draft}
          channelId={channelId}
          label={accountTexts.writeComment}
          rows={8}
          placeholder={accountTexts.commentPlaceholder}
          aria-describedby={notes || undefined}
        />
        <CommentImagesField draft={draft} />
        {failure && (
          <Alert id={`${id}-alert`} isScrolledTo>
            <span>{accountTexts.commentFailed}</span>
            {'. '}
            {failure === 'uploading' ? pendingImageText(readDraft(draft)) : refusalText(failure)}
          </Alert>
        )}
        <SubmitButton className={styles.send} label={accountTexts.sendComment} isBusy={isBusy} />
      </form>
    </>
  );
}

/** Shows the comment just sent: where it was added, or on the page of the newest comments. */
function showSent(
  { channelId, number }: Comment,
  getState: () => AppState,
  { find }: Anchors,
): void {
  const shown = getState().channels.get(channelId)?.comments;
  if (shown?.some((one) => one.number === number)) {
    requestAnimationFrame(() => find(commentAnchor(number))?.scrollIntoView({ block: 'nearest' }));
  } else {
    go(commentLink(channelId, number), { hasWayBack: true });
  }
}
