import { failureText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { showStatus } from '../components/status-bar.tsx';
import type { SubjectPanelProps, SubjectTask } from '../components/subject-panel.tsx';
import { CommentVersions } from './comment-versions.tsx';
import { DecisionForm } from './decision-form.tsx';
import { undoDecision } from './moderation-calls.ts';
import { decidedTexts } from './moderation-texts.ts';
import styles from './report-form.module.css';
import { staffTexts } from './staff-texts.ts';

/** The form or list of a task that only moderators have. */
export function StaffPanel({
  task,
  subject,
  onEnd,
  onDecided,
  onUndone,
}: SubjectPanelProps<Exclude<SubjectTask, 'report'>>) {
  if (task === 'versions') {
    return (
      <div className={styles.form}>
        <CommentVersions commentId={subject.id} />
        <p className={styles.buttons}>
          <button type="button" className={buttons.quiet} onClick={onEnd}>
            {staffTexts.close}
          </button>
        </p>
      </div>
    );
  }
  return (
    <DecisionForm
      subject={subject}
      action={task}
      onCancel={onEnd}
      onDone={({ id, action }) => {
        onEnd();
        onDecided?.(action);
        const undo = async () => {
          const result = await request(undoDecision, id);
          if (result.ok) onUndone?.();
          const text = `${staffTexts.notUndone} ${result.ok || failureText(result)}`;
          showStatus({ text: result.ok ? staffTexts.undone : text });
        };
        showStatus({
          text: decidedTexts[action],
          action: { label: staffTexts.undo, run: undo },
        });
      }}
    />
  );
}
