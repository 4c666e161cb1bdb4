import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { commentLink } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { Failure, orFailure } from '../api/failures.ts';
import { idempotentRequest } from '../api/idempotent-request.ts';
import { FormEnd } from '../components/form-end.tsx';
import { Alert, Note } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useForm } from '../components/use-form.ts';
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
import { useHoldsNext } from './held.ts';
import { enqueueComment, postComment } from './outbox.ts';
import { ReplyLine } from './reply-line.tsx';
import { useUploadWait } from './use-upload-wait.ts';

const writeReply = 'Escribe tu respuesta';

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
  const holdsNext = useHoldsNext();
  const id = useId();

  const send = async (element: HTMLFormElement) => {
    const typed = readDraft(draft);
    const author = { autor: name, autorId: userId, autorImg: img ?? '' };
    const body = { id: channelId, ...bodyOf(typed, original), ...author };
    const request = idempotentRequest(typed.request, body);
    changeDraft(draft, { request });
    const answer = await orFailure(postComment(request, { store, queryClient }));
    const isQueued = answer instanceof Failure;
    if (isQueued && answer.problem) {
      if (answer.isRefused) changeDraft(draft, { request: null });
      throw answer;
    }
    if (isQueued) {
      enqueueComment(userId, request);
      // Queued comments are shown at the other form, at the end of the page.
      if (original) showStatus({ text: accountTexts.queued });
    }
    const sent = isQueued ? null : answer;
    if (element.isConnected) onSent(sent);
    else if (sent) showStatus({ text: accountTexts.commentSent });
    clearSent(draft, typed);
  };
  const form = useForm({
    async send(_text, element) {
      const wasBlank = isBlank(readDraft(draft));
      if (!(await wait.untilStored())) return;
      const { text } = readDraft(draft);
      await withTabLock(sendingLock(draft), async () => {
        // Another tab may have sent it while this one waited, and something else may be typed by now.
        const now = readDraft(draft);
        if (wasBlank || (!isBlank(now) && now.text === text)) await send(element);
      });
    },
    isWaiting: wait.isWaiting,
    isTyped() {
      wait.cancel();
      return !isBlank(readDraft(draft));
    },
    onCancel:
      original &&
      (() => {
        discardWithFiles(draft);
        onCanceled?.();
      }),
  });

  const reason = wait.failure ?? form.alert;
  const notes = [original, isRescued, reason, holdsNext];
  const noteIds = notes.flatMap((note, index) => (note ? `${id}-${index}` : [])).join(' ');
  return (
    <form
      {...form.props}
      className={original ? styles.reply : styles.form}
      aria-label={original && writeReply}
    >
      {original && (
        <ReplyLine
          id={`${id}-0`}
          href={commentLink(channelId, original.number)}
          autor={original.autor}
          excerpt={original.comment.includes(excerpt) ? excerpt : ''}
        />
      )}
      {isRescued && (
        <Alert id={`${id}-1`}>
          El comentario que estabas editando o al que respondías se ha eliminado, o ya no se puede
          editar. Aquí tienes lo que escribías: si quieres, envíalo como comentario nuevo.
        </Alert>
      )}
      {holdsNext && <Note id={`${id}-3`}>{accountTexts.holdsNext}</Note>}
      <CommentTextField
        draft={draft}
        channelId={channelId}
        {...(original ? replyField : newCommentField)}
        aria-describedby={noteIds || undefined}
      />
      <CommentImagesField draft={draft} wait={wait} area={original && form.props.ref} />
      {reason && !form.isAsking && (
        <Alert id={`${id}-2`} isScrolledTo>
          <span>{accountTexts.commentFailed}</span>
          <span>{`. ${reason}`}</span>
        </Alert>
      )}
      {original ? (
        <FormEnd
          form={{ ...form, alert: null }}
          label="Enviar"
          question="¿Descartar la respuesta?"
        />
      ) : (
        <SubmitButton className={styles.send} label="Comentar" isBusy={form.isBusy} />
      )}
    </form>
  );
}

const replyField = { label: writeReply, rows: 4 };
const newCommentField = {
  label: 'Escribe un comentario',
  rows: 8,
  placeholder: 'click aquí para empezar a escribir',
};
