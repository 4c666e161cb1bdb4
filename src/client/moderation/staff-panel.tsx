import { parseCommentId } from '../../shared/comment-id.ts';
import { withQueries } from '../api/with-queries.tsx';
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
  if (task === 'versions') {
    const comment = parseCommentId(subject.id);
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
