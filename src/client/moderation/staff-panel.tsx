import buttons from '../components/button.module.css';
import { showStatus } from '../components/status-bar.tsx';
import type { SubjectPanelProps, SubjectTask } from '../components/subject-panel.tsx';
import { usePersonAgain } from '../people/use-person-again.ts';
import { CommentVersions } from './comment-versions.tsx';
import { DecisionForm } from './decision-form.tsx';
import { undo } from './moderation-calls.ts';
import { decidedTexts, staffTexts } from './moderation-texts.ts';

/** The form or list of a task that only moderators have. */
export function StaffPanel({
  task,
  subject,
  onEnd,
  onUndone,
}: SubjectPanelProps<Exclude<SubjectTask, 'report'>>) {
  const showPerson = usePersonAgain();
  const updatePerson = () => subject.kind === 'user' && showPerson(subject.id);
  if (task === 'versions') {
    return (
      <div className="box">
        <CommentVersions commentId={subject.id} />
        <p className="buttons">
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
      onDone={({ id, action, isFinal }, isEarlier) => {
        onEnd();
        updatePerson();
        if (isEarlier) return;
        const onUndo = () => {
          onUndone?.();
          updatePerson();
        };
        const run = () => undo(id, onUndo);
        const text = decidedTexts[action];
        showStatus(isFinal ? { text } : { text, action: { label: staffTexts.undo, run } });
      }}
    />
  );
}
