import { useCallback, useRef, useState } from 'react';
import { lazyPart } from '../components/lazy-part.tsx';
import { useLostFocus } from '../components/use-lost-focus.ts';
import type { SubjectPanelProps, SubjectTask } from './subject-actions.ts';
import styles from './subject-panel.module.css';

const ReportForm = lazyPart(async () => (await import('./report-form.tsx')).ReportForm);
const StaffPanel = lazyPart(async () => (await import('./staff-panel.tsx')).StaffPanel);

/** The task whose panel is open, until it is closed or somebody else has the page. @param userId '' for guests */
export function useTask(userId: string) {
  const [opened, setOpened] = useState<Record<string, SubjectTask | null>>({});
  const setTask = useCallback(
    (task: SubjectTask | null) => setOpened({ [userId]: task }),
    [userId],
  );
  return [opened[userId], setTask] as const;
}

/** The form or list of a task, below a comment, a channel's header or a person's name. */
export function SubjectPanel({ task, ...panel }: SubjectPanelProps) {
  const element = useRef<HTMLDivElement>(null);
  useLostFocus(element, panel.onEnd);
  return (
    <div ref={element} className={styles.panel}>
      {task === 'report' ? (
        <ReportForm {...panel} />
      ) : (
        <StaffPanel key={task} task={task} {...panel} />
      )}
    </div>
  );
}
