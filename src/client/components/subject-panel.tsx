import { useCallback, useRef, useState } from 'react';
import type { Action, Subject } from '../../shared/moderation.ts';
import { lazyPart } from './lazy-part.tsx';
import styles from './subject-panel.module.css';
import { useLostFocus } from './use-lost-focus.ts';

const ReportForm = lazyPart(async () => (await import('../moderation/report-form.tsx')).ReportForm);
const StaffPanel = lazyPart(async () => (await import('../moderation/staff-panel.tsx')).StaffPanel);

/** Something to do about a subject: report it, decide about it, or read what a comment said before. */
export type SubjectTask = Action | 'report' | 'versions';

export interface SubjectPanelProps<Task extends SubjectTask = SubjectTask> {
  task: Task;
  subject: Subject;
  /** Closes the panel and moves the focus to its subject. */
  onEnd: () => void;
  /** Called when a decision that was made here was undone. Open pages are told when something is hidden. */
  onUndone?: () => void;
}

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
