import type { Comment } from '../../../shared/comments.ts';
import type { Decision } from '../../../shared/moderation.ts';
import { commentAnchor } from '../../../shared/routes.ts';
import { focusElement } from '../../dom/focus-element.ts';
import type { SubjectTask } from '../../moderation/subject-actions.ts';
import { SubjectPanel } from '../../moderation/subject-panel.tsx';
import { useStore } from '../../state/store-provider.tsx';

interface CommentPanelProps {
  comment: Comment;
  task: SubjectTask;
  onClose: () => void;
}

/** The form or list of a task on a comment, below it. */
export function CommentPanel({ comment, task, onClose }: CommentPanelProps) {
  const { id, channelId, number, autorId } = comment;
  const { getState, dispatch } = useStore();
  /** Removes comments hidden by a decision at once, since there may be no live stream to report it. */
  const removeHidden = ({ action }: Decision) => {
    const shown = getState().channels.get(channelId)?.comments ?? [];
    const isHidden = (one: Comment) =>
      action === 'hideAll' ? one.autorId === autorId : action === 'hide' && one.number === number;
    for (const one of shown.filter(isHidden))
      dispatch({ type: 'COMMENT_REMOVED', channelId, number: one.number });
  };
  return (
    <SubjectPanel
      task={task}
      subject={{ kind: 'comment', id }}
      onEnd={() => {
        onClose();
        focusElement(commentAnchor(number));
      }}
      onDecided={removeHidden}
    />
  );
}
