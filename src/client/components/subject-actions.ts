import type { NewDecision, Role, SubjectKind } from '../../shared/moderation.ts';
import { subjectTexts } from '../subject-texts.ts';
import type { MenuAction } from './action-menu.tsx';
import type { SubjectTask } from './subject-panel.tsx';

/** On the buttons of moderators, and in the menus of comments, channels and people. */
export const actionTexts: Record<NewDecision['action'], string> = {
  hide: 'Ocultar',
  restore: 'Restaurar',
  dismiss: 'Todo en orden',
  silence: 'Silenciar',
  suspend: 'Suspender',
  release: 'Levantar',
  hideAll: 'Ocultar todo lo de esta cuenta',
  approve: 'Aprobar',
  reject: 'Rechazar',
};

const labels = { ...actionTexts, ...subjectTexts };

const decisions: Record<SubjectKind, SubjectTask[]> = {
  comment: ['hide', 'silence', 'suspend', 'hideAll'],
  channel: ['hide', 'silence', 'suspend', 'hideAll'],
  user: ['silence', 'suspend', 'release', 'hideAll'],
};

/**
 * The entries of a menu with which somebody reports what another person wrote, or that person, and moderators decide.
 * @param isEdited whether there are former versions to show
 */
export function subjectActions(
  { kind, role, isEdited = false }: { kind: SubjectKind; role: Role; isEdited?: boolean },
  open: (task: SubjectTask) => void,
): MenuAction[] {
  const tasks: SubjectTask[] = ['report'];
  if (role !== 'member') tasks.push(...decisions[kind]);
  if (role !== 'member' && isEdited) tasks.push('versions');
  return tasks.map((task) => ({ label: labels[task], run: () => open(task) }));
}
