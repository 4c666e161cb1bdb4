import { useCallback, useState } from 'react';
import type { Subject } from '../../shared/moderation.ts';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import type { SubjectPanelProps, SubjectTask } from './subject-actions.ts';
import styles from './subject-panel.module.css';

const ReportForm = lazyPart(async () => (await import('./reports/report-form.tsx')).ReportForm);
const StaffPanel = lazyPart(async () => (await import('./staff-panel.tsx')).StaffPanel);

interface SubjectPanelOptions extends Pick<SubjectPanelProps, 'onDecided' | 'onUndone'> {
  /** '' for guests. The panel closes when another user signs in on this page. */
  userId: string;
  subject: Subject;
  /** The name of the person, or of the author. */
  name: string;
  /** Moves the focus to the subject when its panel is closed. */
  focus: () => void;
}

/** Returns a function that opens the panel of a task, and the props of `SubjectPanel` for the open task. */
export function useSubjectPanel({ userId, focus, ...panel }: SubjectPanelOptions) {
  const [opened, setOpened] = useState<Record<string, SubjectTask>>({});
  const open = useCallback((task: SubjectTask) => setOpened({ [userId]: task }), [userId]);
  const task = opened[userId];
  const onEnd = () => {
    setOpened({});
    focus();
  };
  return { open, panel: { task, onEnd, ...panel } };
}

type PanelProps = ReturnType<typeof useSubjectPanel>['panel'];

/** The form or list of a task, below a comment, a channel's header or a person's name. */
export const SubjectPanel = ({ task, ...panel }: PanelProps) =>
  task && <OpenPanel task={task} {...panel} />;

function OpenPanel({ task, ...panel }: SubjectPanelProps) {
  return (
    <div className={styles.panel}>
      {task === 'report' ? (
        <ReportForm {...panel} />
      ) : (
        <StaffPanel key={task} task={task} {...panel} />
      )}
    </div>
  );
}
