import type { Decision, NewDecision, Role, Subject, SubjectKind } from '../../shared/moderation.ts';
import type { MenuAction } from '../ui/action-menu.tsx';

/** Something to do about a subject: report it, decide about it, or read what a comment said before. */
export type SubjectTask = 'hide' | 'silence' | 'suspend' | 'hideAll' | 'report' | 'versions';

/** What the panel of a task is given. */
export interface SubjectPanelProps<Task extends SubjectTask = SubjectTask> {
  task: Task;
  subject: Subject;
  /** Closes the panel and moves the focus to its subject. */
  onEnd: () => void;
  /** Called when a decision was made here: the page may have no live stream that says so. */
  onDecided?: (decision: Decision) => void;
  /** Called when a decision that was made here was undone. */
  onUndone?: () => void;
}

/** On the buttons of moderators, and in the menus of comments, channels and people. */
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

/** Whether it hides something or locks somebody out. */
export const isDestructive = (action: string) =>
  ['hide', 'suspend', 'hideAll', 'reject'].includes(action);

const labels: Record<SubjectTask, string> = {
  ...actionTexts,
  report: 'Denunciar',
  versions: 'Versiones anteriores',
};

const onPerson: SubjectTask[] = ['silence', 'suspend', 'hideAll'];

/**
 * The entries of a menu with which somebody reports what another person wrote, or that person, and moderators decide.
 * @param isEdited whether there are former versions to show
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
