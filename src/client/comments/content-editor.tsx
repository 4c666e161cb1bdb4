import { useEffect, useId, useRef, useState } from 'react';
import type { CommentEdit } from '../../shared/comments.ts';
import { type Failure, type Result, refusalText } from '../api/failures.ts';
import { offerText } from '../components/copy-text.ts';
import { EditButtons } from '../components/edit-buttons.tsx';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useCanceling } from '../components/use-canceling.ts';
import { useSubmit } from '../components/use-submit.ts';
import { changeDraft, readDraft } from '../storage/drafts.ts';
import { currentUserId } from '../storage/session.ts';
import { bodyOf, type CommentDraft, discardWithFiles, type Edited } from './comment-draft.ts';
import { CommentImagesField } from './comment-images-field.tsx';
import { CommentText } from './comment-text.tsx';
import { CommentTextField } from './comment-text-field.tsx';
import { commentTexts } from './comment-texts.ts';
import styles from './content-editor.module.css';
import { useUploadWait } from './use-upload-wait.ts';

interface ContentEditorProps {
  channelId: string;
  draft: CommentDraft;
  save: (revision: number, edit: CommentEdit) => Promise<Result<Edited>>;
  /** The comment as it was changed elsewhere since the editor was opened. */
  conflict: Edited | null;
  /** Called when the changes were saved or discarded. */
  onEnd: () => void;
}

/** Changes an own comment in its place. Unsaved changes are stored as a draft. */
export function ContentEditor({ channelId, draft, save, conflict, onEnd }: ContentEditorProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const wait = useUploadWait(draft);
  const [failure, setFailure] = useState<Failure | null>(null);

  useEffect(() => focusEnd(form.current), []);

  const end = () => {
    discardWithFiles(draft);
    onEnd();
  };
  const { isBusy, onSubmit } = useSubmit(async (_form, isShown) => {
    const userId = currentUserId();
    setFailure(null);
    if (!(await wait.untilStored())) return;
    const typed = readDraft(draft);
    const result = await save(typed.revision, bodyOf(typed));
    if (!result.ok) {
      setFailure(result);
      if (isShown() || currentUserId() !== userId) return;
      return offerText(`${commentTexts.notSaved}. ${refusalText(result)}`, typed.text);
    }
    showStatus({ text: commentTexts.saved });
    if (readDraft(draft) === typed) return end();
    // Text typed while the request ran stays in the draft, and is saved next.
    changeDraft(draft, { revision: result.value.revision });
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
          <span>{`. ${reason}`}</span>
        </Alert>
      )}
      {conflict && (
        <div className="box">
          <p className="note">{commentTexts.current}</p>
          <CommentText text={conflict.comment} mentions={conflict.mentions} />
          <p className="note">{commentTexts.saveOver}</p>
        </div>
      )}
      <EditButtons {...buttons} />
    </form>
  );
}

function focusEnd(form: HTMLFormElement | null): void {
  const field = form?.querySelector('textarea');
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
