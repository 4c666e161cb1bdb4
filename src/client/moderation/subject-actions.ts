import type { Decision, NewDecision, Role, Subject, SubjectKind } from '../../shared/moderation.ts';
import type { MenuAction } from '../ui/action-list.tsx';
import { texts } from '../ui/texts.ts';

/** A task on a subject: report it, decide about it, or read earlier versions of a comment. */
export type SubjectTask = 'hide' | 'silence' | 'suspend' | 'hideAll' | 'report' | 'versions';

export interface SubjectPanelProps<Task extends SubjectTask = SubjectTask> {
  task: Task;
  subject: Subject;
  /** Closes the panel and moves the focus to its subject. */
  onEnd: () => void;
  /** Called after a decision made here, since there may be no live stream to report it. */
  onDecided?: (decision: Decision) => void;
  /** Called when a decision made here was undone. */
  onUndone?: () => void;
}

/** Labels of moderators' buttons and of the menus of comments, channels and people. */
export const actionTexts: Record<NewDecision['action'] | 'undo', string> = {
  hide: 'Ocultar',
  dismiss: 'Todo en orden',
  silence: 'Silenciar',
  suspend: 'Suspender',
  hideAll: 'Ocultar todo lo de esta cuenta',
  approve: 'Aprobar',
  reject: 'Rechazar',
  undo: 'Deshacer',
};

/** Whether the action hides content or locks an account out. */
export const isDestructive = (action: string) =>
  ['hide', 'suspend', 'hideAll', 'reject'].includes(action);

const labels: Record<SubjectTask, string> = {
  ...actionTexts,
  report: texts.report,
  versions: 'Versiones anteriores',
};

const onPerson: SubjectTask[] = ['silence', 'suspend', 'hideAll'];

/**
 * Menu entries to report another person's content, or that person, and to make decisions as a moderator.
 * @param isEdited whether there are earlier versions to show
 */
export function subjectActions(
  { kind, role, isEdited = false }: { kind: SubjectKind; role: Role; isEdited?: boolean },
  open: (task: SubjectTask) => void,
): MenuAction[] {
  const tasks: SubjectTask[] = ['report'];
  if (role !== 'member' && kind !== 'user') tasks.push('hide');
  if (role !== 'member') tasks.push(...onPerson);
  if (role !== 'member' && isEdited) tasks.push('versions');
  return tasks.map((task) => ({
    label: labels[task],
    destroys: isDestructive(task),
    run: () => open(task),
  }));
}
