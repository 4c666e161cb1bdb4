import { useState } from 'react';
import { commentId } from '../../shared/comment-id.ts';
import type { Comment, CommentEdit } from '../../shared/comments.ts';
import { commentAnchor } from '../../shared/routes.ts';
import { request } from '../api/request.ts';
import { useAnchors } from '../components/anchors.tsx';
import { useStore, useUser } from '../state/store-provider.tsx';
import { changeDraft } from '../storage/drafts.ts';
import { editComment, listComments } from './comment-calls.ts';
import { commentEditDraft, contentOf } from './comment-draft.ts';
import { ContentEditor } from './content-editor.tsx';

interface CommentEditorProps {
  comment: Comment;
  onEnd: () => void;
}

/** The editor of a published comment. */
export function CommentEditor({ comment, onEnd }: CommentEditorProps) {
  const { channelId, number } = comment;
  const { dispatch } = useStore();
  const anchors = useAnchors();
  const { id: userId } = useUser();
  /** Compared with the comment as it was when the editor was opened. */
  const [draft] = useState(() => commentEditDraft(userId, comment, contentOf(comment)));
  const [conflict, setConflict] = useState<Comment | null>(null);

  const end = () => {
    onEnd();
    // The item has the focus again once it shows the comment.
    requestAnimationFrame(() => anchors.focus(commentAnchor(number)));
  };
  const save = async (revision: number, edit: CommentEdit) => {
    const result = await request(editComment, { channelId, number, revision, edit });
    if (result.ok) dispatch({ type: 'COMMENT_CHANGED', comment: result.value });
    else if (result.problem?.code === 'comment_not_found') {
      // Deleted elsewhere: what is typed moves to the form of new comments.
      dispatch({ type: 'COMMENT_REMOVED', channelId, number });
    } else if (result.problem?.status === 412) await showCurrent();
    return result;
  };
  const showCurrent = async () => {
    const range = { after: commentId(channelId, number - 1) };
    const page = await request(listComments, { channelId, range });
    const current = page.ok ? page.value.data.find((one) => one.number === number) : undefined;
    if (!current) return;
    dispatch({ type: 'COMMENT_CHANGED', comment: current });
    setConflict(current);
    changeDraft(draft, { revision: current.revision });
  };
  return (
    <ContentEditor
      channelId={channelId}
      draft={draft}
      save={save}
      conflict={conflict}
      onEnd={end}
    />
  );
}
