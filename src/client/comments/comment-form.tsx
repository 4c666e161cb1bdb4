import { useId, useMemo, useRef, useState } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { commentAnchor, commentLink } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, isRefused } from '../api/failures.ts';
import { idempotentRequest } from '../api/idempotent-request.ts';
import { request } from '../api/request.ts';
import { learnServerTime } from '../api/server-time.ts';
import { type Anchors, useAnchors } from '../components/anchors.tsx';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useShown } from '../components/use-shown.ts';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { go } from '../router/navigation.tsx';
import type { AppState } from '../state/state.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { useDroppedImages } from '../uploads/use-dropped-images.ts';
import { sendComment } from './comment-calls.ts';
import { commentDraft } from './comment-draft.ts';
import styles from './comment-form.module.css';
import { CommentImagesField } from './comment-images-field.tsx';
import { CommentTextField } from './comment-text-field.tsx';
import { commentTexts } from './comment-texts.ts';
import {
  isExcerptRefused,
  newContentOf,
  refusalText,
  typedFields,
  withoutExcerpt,
} from './draft-body.ts';
import { enqueueComment } from './outbox.ts';
import { QueuedComments } from './queued-comments.tsx';
import { ReplyChip } from './reply-chip.tsx';
import { useRescuedEdits } from './rescue-edits.ts';
import { useCommentUploads } from './use-comment-uploads.ts';
import { useDraft } from './use-draft.ts';

const formId = 'comentar';

/** Moves the focus to the form of a new comment. */
export function focusCommentForm(): void {
  const form = document.getElementById(formId);
  form?.querySelector('textarea')?.focus({ preventScroll: true });
  form?.scrollIntoView({ block: 'center' });
}

interface CommentFormProps {
  channelId: string;
}

export function CommentForm({ channelId }: CommentFormProps) {
  const { dispatch, getState } = useStore();
  const anchors = useAnchors();
  const { id: userId, name, img } = useUser();
  const draft = useMemo(() => commentDraft(userId, channelId), [userId, channelId]);
  const { reply } = useDraft(draft);
  const rescuedCount = useRescuedEdits(channelId, focusCommentForm);
  const uploads = useCommentUploads(draft, rescuedCount);
  useDroppedImages(uploads.add);
  const formRef = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState<Failure | 'uploading' | null>(null);
  /** How many rescued edits the user has sent or seen before. */
  const [seenRescues, setSeenRescues] = useState(0);
  const hasRescue = rescuedCount > seenRescues;
  const id = useId();

  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    if (uploads.pending.length > 0) return setFailure('uploading');
    setFailure(null);
    const stored = draft.read();
    const comment = fieldText(form, 'comment');
    // Without storage events from the field, such as after a restored form, its text is what counts.
    const typed = stored.text === comment ? stored : { ...stored, text: comment, mentions: [] };
    const author = { autor: name, autorId: userId, autorImg: img ?? '' };
    const body = { id: channelId, ...newContentOf(typed), ...author };
    const identified = idempotentRequest(stored.request, body, typedFields);
    draft.change({ ...typed, request: identified });
    let result = await request(sendComment, identified);
    if (!result.ok && isExcerptRefused(result)) {
      result = await request(sendComment, withoutExcerpt(identified));
    }
    if (result.ok) {
      // As specified, the response is written to the console.
      console.log(result.value);
      dispatch({ type: 'ADD_COMMENT', comment: result.value });
      // A user who has left the page meanwhile stays where they are.
      if (isShown()) showSent(result.value, getState, anchors);
      showStatus({ text: accountTexts.commentSent });
    } else if (result.problem) {
      if (isRefused(result)) draft.discardRequest(identified.key);
      return setFailure(result);
    } else {
      enqueueComment(userId, identified);
    }
    draft.clearSent(typed);
    setSeenRescues(rescuedCount);
  });

  useShown(failure && `${id}-alert`);
  const focusField = () => formRef.current?.querySelector('textarea')?.focus();
  const notes = [hasRescue && `${id}-rescue`, reply && `${id}-reply`, failure && `${id}-alert`]
    .filter(Boolean)
    .join(' ');
  return (
    <>
      <QueuedComments channelId={channelId} canEdit onRemoved={focusField} />
      <form ref={formRef} id={formId} className={styles.form} method="post" onSubmit={onSubmit}>
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
          onFocus={learnServerTime}
        />
        <CommentImagesField draft={draft} uploads={uploads} />
        {failure && (
          <Alert id={`${id}-alert`}>
            <span>{accountTexts.commentFailed}</span>
            {'. '}
            {failure === 'uploading' ? commentTexts.imagesUploading : refusalText(failure)}
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
