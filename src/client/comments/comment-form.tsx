import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { commentLink } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, isRefused, refusalText } from '../api/failures.ts';
import { idempotentRequest } from '../api/idempotent-request.ts';
import { EditButtons } from '../components/edit-buttons.tsx';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useCanceling } from '../components/use-canceling.ts';
import { useSubmit } from '../components/use-submit.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { changeDraft, readDraft, useDraft } from '../storage/drafts.ts';
import { withTabLock } from '../storage/tab-lock.ts';
import {
  bodyOf,
  type CommentDraft,
  clearSent,
  discardWithFiles,
  isBlank,
  sendingLock,
} from './comment-draft.ts';
import styles from './comment-form.module.css';
import { CommentImagesField } from './comment-images-field.tsx';
import { CommentTextField } from './comment-text-field.tsx';
import { commentTexts } from './comment-texts.ts';
import { enqueueComment, postComment } from './outbox.ts';
import { ReplyLine } from './reply-line.tsx';
import { useUploadWait } from './use-upload-wait.ts';

interface CommentFormProps {
  channelId: string;
  draft: CommentDraft;
  /** The comment that is answered; undefined for a new one. */
  original?: Comment;
  /** Called when the comment was sent, unless the form is closed by then; with null while it is queued or held. */
  onSent: (comment: Comment | null) => void;
  /** Called when a reply was canceled. */
  onCanceled?: () => void;
}

/** The form of a new comment, at the end of the page, and of a reply, below the comment that is answered. */
export function CommentForm({ channelId, draft, original, onSent, onCanceled }: CommentFormProps) {
  const store = useStore();
  const queryClient = useQueryClient();
  const { id: userId, name, img } = useUser();
  const excerpt = useDraft(draft, ({ reply }) => reply?.excerpt ?? '');
  const isRescued = useDraft(draft, (content) => content.isRescued);
  const wait = useUploadWait(draft);
  const [failure, setFailure] = useState<Failure | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();

  const send = async (isShown: () => boolean) => {
    const typed = readDraft(draft);
    const author = { autor: name, autorId: userId, autorImg: img ?? '' };
    const body = { id: channelId, ...bodyOf(typed, original), ...author };
    const request = idempotentRequest(typed.request, body);
    changeDraft(draft, { request });
    const result = await postComment(request, { store, queryClient });
    if (!result.ok && result.problem) {
      if (isRefused(result)) changeDraft(draft, { request: null });
      return setFailure(result);
    }
    if (!result.ok) {
      enqueueComment(userId, request);
      // Queued comments are shown at the other form, at the end of the page.
      if (original) showStatus({ text: accountTexts.queued });
    }
    const sent = result.ok ? result.value : null;
    if (isShown()) onSent(sent);
    else if (sent) showStatus({ text: accountTexts.commentSent });
    clearSent(draft, typed);
  };
  const { isBusy, onSubmit } = useSubmit(async (_form, isShown) => {
    setFailure(null);
    const wasBlank = isBlank(readDraft(draft));
    if (!(await wait.untilStored())) return;
    const { text } = readDraft(draft);
    await withTabLock(sendingLock(draft), async () => {
      // Another tab may have sent it while this one waited, and something else may be typed by now.
      const now = readDraft(draft);
      if (wasBlank || (!isBlank(now) && now.text === text)) await send(isShown);
    });
  });

  const { onKeyDown, buttons } = useCanceling({
    form,
    isBusy,
    isSending: isBusy && !wait.isWaiting,
    canEnd() {
      wait.cancel();
      return isBlank(readDraft(draft));
    },
    end() {
      discardWithFiles(draft);
      onCanceled?.();
    },
  });

  const reason = wait.failure ?? (failure && refusalText(failure));
  const notes = [original, isRescued, reason];
  const noteIds = notes.flatMap((note, index) => (note ? `${id}-${index}` : [])).join(' ');
  return (
    <form
      ref={form}
      className={original ? styles.reply : styles.form}
      method="post"
      aria-label={original && commentTexts.writeReply}
      onSubmit={onSubmit}
      onKeyDown={original && onKeyDown}
    >
      {original && (
        <ReplyLine
          id={`${id}-0`}
          href={commentLink(channelId, original.number)}
          autor={original.autor}
          excerpt={original.comment.includes(excerpt) ? excerpt : ''}
        />
      )}
      {isRescued && <Alert id={`${id}-1`}>{commentTexts.rescued}</Alert>}
      <CommentTextField
        draft={draft}
        channelId={channelId}
        {...(original ? replyField : newCommentField)}
        aria-describedby={noteIds || undefined}
      />
      <CommentImagesField draft={draft} wait={wait} area={original && form} />
      {reason && (
        <Alert id={`${id}-2`} isScrolledTo>
          <span>{accountTexts.commentFailed}</span>
          <span>{`. ${reason}`}</span>
        </Alert>
      )}
      {original ? (
        <EditButtons
          label={commentTexts.sendReply}
          question={commentTexts.discardReply}
          {...buttons}
        />
      ) : (
        <SubmitButton className={styles.send} label={accountTexts.sendComment} isBusy={isBusy} />
      )}
    </form>
  );
}

const replyField = { label: commentTexts.writeReply, rows: 4 };
const newCommentField = {
  label: accountTexts.writeComment,
  rows: 8,
  placeholder: accountTexts.commentPlaceholder,
};
