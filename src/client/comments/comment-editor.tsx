import { useEffect, useState } from 'react';
import { commentId } from '../../shared/comment-id.ts';
import type { Comment, CommentEdit } from '../../shared/comments.ts';
import { Failure, orFailure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { Conflict } from '../components/conflict.tsx';
import { offerText } from '../components/copy-text.ts';
import { FormEnd } from '../components/form-end.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useForm } from '../components/use-form.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { changeDraft, readDraft } from '../storage/drafts.ts';
import { currentUserId } from '../storage/session.ts';
import { editComment } from './change-comment-calls.ts';
import { listComments } from './comment-calls.ts';
import { bodyOf, commentEditDraft, contentOf, discardWithFiles } from './comment-draft.ts';
import styles from './comment-editor.module.css';
import { CommentImagesField } from './comment-images-field.tsx';
import { CommentText } from './comment-text.tsx';
import { CommentTextField } from './comment-text-field.tsx';
import { useUploadWait } from './use-upload-wait.ts';

const notSaved = 'No se pudieron guardar los cambios';

const editCommentText = 'Edita tu comentario';

interface CommentEditorProps {
  comment: Comment;
  onEnd: () => void;
}

/** Changes an own comment in its place. Unsaved changes are stored as a draft. */
export function CommentEditor({ comment, onEnd }: CommentEditorProps) {
  const { channelId, number } = comment;
  const { dispatch } = useStore();
  const { id: userId } = useUser();
  /** Compared with the comment as it was when the editor was opened. */
  const [draft] = useState(() => commentEditDraft(userId, comment, contentOf(comment)));
  const [conflict, setConflict] = useState<Comment | null>(null);
  const wait = useUploadWait(draft);

  const end = () => {
    discardWithFiles(draft);
    onEnd();
  };
  const save = async (revision: number, edit: CommentEdit): Promise<Comment> => {
    try {
      return await request(editComment, { channelId, number, revision, edit });
    } catch (error) {
      if (error instanceof Failure && error.status === 412) await showCurrent();
      if (error instanceof Failure && error.code === 'comment_not_found') {
        // Deleted elsewhere: what is typed moves to the form of new comments.
        dispatch({ type: 'COMMENT_REMOVED', channelId, number });
      }
      throw error;
    }
  };
  const showCurrent = async () => {
    const range = { after: commentId(channelId, number - 1) };
    const page = await orFailure(request(listComments, { channelId, range }));
    const current =
      page instanceof Failure ? undefined : page.data.find((one) => one.number === number);
    if (!current) return;
    dispatch({ type: 'COMMENT_CHANGED', comment: current });
    setConflict(current);
    changeDraft(draft, { revision: current.revision });
  };

  const form = useForm({
    async send(_text, element) {
      if (!(await wait.untilStored())) return;
      const typed = readDraft(draft);
      const saved = await orFailure(save(typed.revision, bodyOf(typed)));
      if (saved instanceof Failure) {
        if (!element.isConnected && currentUserId() === userId)
          offerText(`${notSaved}. ${saved.text}`, typed.text);
        throw saved;
      }
      dispatch({ type: 'COMMENT_CHANGED', comment: saved });
      showStatus({ text: 'Cambios guardados' });
      if (readDraft(draft) === typed) return end();
      // Text typed while the request ran stays in the draft, and is saved next.
      changeDraft(draft, { revision: saved.revision });
    },
    isWaiting: wait.isWaiting,
    isTyped() {
      wait.cancel();
      return readDraft(draft) !== draft.unchanged;
    },
    onCancel: end,
  });
  const { ref } = form.props;
  useEffect(() => {
    const field = ref.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [ref]);

  const reason = wait.failure ?? form.alert;
  return (
    <form {...form.props} className={styles.editor} aria-label={editCommentText}>
      <CommentTextField
        draft={draft}
        channelId={channelId}
        label={editCommentText}
        rows={6}
        aria-describedby={reason ? form.alertId : undefined}
      />
      <CommentImagesField draft={draft} wait={wait} area={ref} />
      {conflict && (
        <Conflict>
          <CommentText text={conflict.comment} mentions={conflict.mentions} />
        </Conflict>
      )}
      <FormEnd form={{ ...form, alert: reason && `${notSaved}. ${reason}` }} />
    </form>
  );
}
