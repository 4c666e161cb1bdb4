import { parseCommentId } from '../../shared/comment-id.ts';
import type { Decision } from '../../shared/moderation.ts';
import { withQueries } from '../api/with-queries.tsx';
import { useStore } from '../state/store-provider.tsx';
import { showStatus } from '../ui/status/status-bar.tsx';
import buttons from '../ui/styles/button.module.css';
import { CommentVersions } from './decisions/comment-versions.tsx';
import { DecisionForm } from './decisions/decision-form.tsx';
import { decidedText } from './decisions/decision-texts.ts';
import { undoSlip } from './decisions/staff-calls.ts';
import type { SubjectPanelProps, SubjectTask } from './subject-actions.ts';

/** The form or list of a task that only moderators have. */
function StaffTask({
  task,
  subject,
  name,
  onEnd,
  onDecided,
  onUndone,
}: SubjectPanelProps<Exclude<SubjectTask, 'report'>>) {
  const { getState, dispatch } = useStore();
  const comment = subject.kind === 'comment' ? parseCommentId(subject.id) : null;
  /** Removes comments hidden by a decision at once, since there may be no live stream to report it. */
  const removeHidden = ({ action }: Decision) => {
    if (!comment) return;
    const { channelId, number } = comment;
    const shown = getState().channels.get(channelId)?.comments ?? [];
    const autorId = shown.find((one) => one.number === number)?.autorId;
    for (const one of shown) {
      const isHidden =
        action === 'hideAll' ? one.autorId === autorId : action === 'hide' && one.number === number;
      if (isHidden) dispatch({ type: 'COMMENT_REMOVED', channelId, number: one.number });
    }
  };
  if (task === 'versions') {
    return (
      <div className="box">
        {comment && <CommentVersions comment={comment} />}
        <p className="row">
          <button type="button" className={buttons.quiet} onClick={onEnd}>
            Cerrar
          </button>
        </p>
      </div>
    );
  }
  return (
    <DecisionForm
      task={{ subject, action: task }}
      name={name}
      onCancel={onEnd}
      onDone={(decision, isEarlier) => {
        onEnd();
        removeHidden(decision);
        onDecided?.(decision);
        if (isEarlier) return;
        const run = () => undoSlip(decision.id, () => onUndone?.());
        const action = { label: 'Deshacer', run };
        showStatus({ text: decidedText(decision), action });
      }}
    />
  );
}

export const StaffPanel = withQueries(StaffTask);
