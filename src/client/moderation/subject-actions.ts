import type { Decision, NewDecision, Role, Subject, SubjectKind } from '../../shared/moderation.ts';
import type { MenuAction } from '../ui/action-list.tsx';
import { directions, texts } from '../ui/texts.ts';

/** A task on a subject: report it, decide about it, or read earlier versions of a comment. */
export type SubjectTask = 'hide' | 'silence' | 'suspend' | 'hideAll' | 'report' | 'versions';

export interface SubjectPanelProps<Task extends SubjectTask = SubjectTask> {
  task: Task;
  subject: Subject;
  /** The name of the person, or of the author. */
  name: string;
  /** Closes the panel and moves the focus to its subject. */
  onEnd: () => void;
  /** Called after a decision made here, since there may be no live stream to report it. */
  onDecided?: (decision: Decision) => void;
  /** Called when a decision made here was undone. */
  onUndone?: () => void;
}

const actionTexts: Record<Exclude<NewDecision['action'], OnPerson> | 'undo', string> = {
  hide: 'Ocultar',
  dismiss: 'Todo en orden',
  approve: 'Aprobar',
  reject: 'Rechazar',
  undo: 'Deshacer',
};

const onPerson = {
  silence: 'No dejar escribir a',
  suspend: 'Suspender a',
  hideAll: 'Ocultar todo lo de',
} as const;
type OnPerson = keyof typeof onPerson;

const isOnPerson = (action: string): action is OnPerson => action in onPerson;

/** The label of a moderator's button or menu entry. One that concerns a person names that person. */
export const actionText = (action: NewDecision['action'] | 'undo', name: string): string =>
  isOnPerson(action) ? `${onPerson[action]} ${name.replace(directions, '')}` : actionTexts[action];

/** Whether the action hides content or locks an account out. */
export const isDestructive = (action: string) =>
  ['hide', 'suspend', 'hideAll', 'reject'].includes(action);

const labelOf = (task: SubjectTask, name: string): string => {
  if (task === 'report') return texts.report;
  return task === 'versions' ? 'Versiones anteriores' : actionText(task, name);
};

interface ActionsOptions {
  kind: SubjectKind;
  /** The name of the person, or of the author. */
  name: string;
  /** The role of the signed-in user. */
  role: Role;
  /** Whether there are earlier versions to show. */
  isEdited?: boolean;
}

/**
 * Menu entries to report another person's content, or that person, and, below a line, to make decisions as a moderator.
 */
export function subjectActions(
  { kind, name, role, isEdited = false }: ActionsOptions,
  open: (task: SubjectTask) => void,
): MenuAction[] {
  const staffTasks: SubjectTask[] = [
    ...(kind === 'user' ? [] : (['hide'] as const)),
    'silence',
    'suspend',
    'hideAll',
    ...(isEdited ? (['versions'] as const) : []),
  ];
  const tasks: SubjectTask[] = ['report', ...(role === 'member' ? [] : staffTasks)];
  return tasks.map((task, index) => ({
    label: labelOf(task, name),
    destroys: isDestructive(task),
    isApart: index === 1,
    run: () => open(task),
  }));
}
