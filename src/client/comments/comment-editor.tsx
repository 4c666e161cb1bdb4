import { useEffect, useId, useRef, useState } from 'react';
import { commentId } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { commentAnchor } from '../../shared/routes.ts';
import { type Failure, refusalText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { useAnchors } from '../components/anchors.tsx';
import { EditButtons } from '../components/edit-buttons.tsx';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useCanceling } from '../components/use-canceling.ts';
import { useSubmit } from '../components/use-submit.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { changeDraft, readDraft } from '../storage/drafts.ts';
import { editComment, listComments } from './comment-calls.ts';
import {
  bodyOf,
  type CommentContent,
  commentEditDraft,
  discardWithFiles,
  emptyContent,
} from './comment-draft.ts';
import styles from './comment-editor.module.css';
import { CommentImagesField } from './comment-images-field.tsx';
import { CommentText } from './comment-text.tsx';
import { CommentTextField } from './comment-text-field.tsx';
import { commentTexts } from './comment-texts.ts';
import { useUploadWait } from './use-upload-wait.ts';

interface CommentEditorProps {
  comment: Comment;
  onEnd: () => void;
}

/** Changes an own comment in its place. What is typed outlives the page, as a draft does. */
export function CommentEditor({ comment, onEnd }: CommentEditorProps) {
  const { channelId, number } = comment;
  const { dispatch } = useStore();
  const anchors = useAnchors();
  const { id: userId } = useUser();
  const id = useId();
  /** Compared with the comment as it was when the editor was opened. */
  const [draft] = useState(() => commentEditDraft(userId, comment, contentOf(comment)));
  const form = useRef<HTMLFormElement>(null);
  const wait = useUploadWait(draft);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** The comment as it was changed elsewhere since the editor was opened. */
  const [conflict, setConflict] = useState<Comment | null>(null);

  useEffect(() => focusField(form.current), []);

  const end = () => {
    discardWithFiles(draft);
    onEnd();
    // The item has the focus again once it shows the comment.
    requestAnimationFrame(() => anchors.focus(commentAnchor(number)));
  };
  const { isBusy, onSubmit } = useSubmit(async () => {
    setFailure(null);
    if (!(await wait.untilStored())) return;
    const typed = readDraft(draft);
    const result = await request(editComment, {
      channelId,
      number,
      revision: typed.revision,
      edit: bodyOf(typed),
    });
    if (result.ok) {
      dispatch({ type: 'COMMENT_CHANGED', comment: result.value });
      showStatus({ text: commentTexts.saved });
      if (readDraft(draft) === typed) return end();
      // Text typed while the request ran stays in the draft, and is saved next.
      return changeDraft(draft, { revision: result.value.revision });
    }
    setFailure(result);
    // Deleted elsewhere: what is typed moves to the form of new comments.
    if (result.problem?.code === 'comment_not_found') {
      dispatch({ type: 'COMMENT_REMOVED', channelId, number });
    }
    if (result.problem?.status !== 412) return;
    const range = { after: commentId(channelId, number - 1) };
    const page = await request(listComments, { channelId, range });
    const current = page.ok ? page.value.data.find((one) => one.number === number) : undefined;
    if (!current) return;
    dispatch({ type: 'COMMENT_CHANGED', comment: current });
    setConflict(current);
    changeDraft(draft, { revision: current.revision });
  });

  const { onKeyDown, buttons } = useCanceling({
    form,
    isBusy,
    isSending: isBusy && !wait.isWaiting,
    canEnd() {
      wait.cancel();
      return readDraft(draft) === draft.unchanged;
    },
    end,
  });

  const reason = wait.failure ?? (failure && refusalText(failure));
  return (
    <form
      ref={form}
      className={styles.editor}
      method="post"
      aria-label={commentTexts.editComment}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      <CommentTextField
        draft={draft}
        channelId={channelId}
        label={commentTexts.editComment}
        rows={6}
        aria-describedby={reason ? `${id}-alert` : undefined}
      />
      <CommentImagesField draft={draft} wait={wait} area={form} />
      {reason && (
        <Alert id={`${id}-alert`} isScrolledTo>
          <span>{commentTexts.notSaved}</span>
          {`. ${reason}`}
        </Alert>
      )}
      {conflict && (
        <div className={styles.current}>
          <p className={styles.hint}>{commentTexts.current}</p>
          <CommentText text={conflict.comment} mentions={conflict.mentions} />
          <p className={styles.hint}>{commentTexts.saveOver}</p>
        </div>
      )}
      <EditButtons {...buttons} />
    </form>
  );
}

function contentOf({ comment, mentions, images, revision }: Comment): CommentContent {
  const ranges = mentions.map(({ start, length, accountId }) => ({ start, length, accountId }));
  return { ...emptyContent, text: comment, mentions: ranges, images, revision };
}

function focusField(form: HTMLFormElement | null): void {
  const field = form?.querySelector('textarea');
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
