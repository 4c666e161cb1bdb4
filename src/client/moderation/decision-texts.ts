import type { Decision, NewDecision } from '../../shared/moderation.ts';
import { directions, dot } from '../texts.ts';
import { decidedTexts } from './log-texts.ts';

/** What a moderator does: decides, or undoes a decision. */
export type StaffAction = NewDecision['action'] | 'undo';

/** Texts of the form that makes a decision, and of decisions in lists. */
export const decisionTexts = {
  decidedBefore: (decision: Decision) =>
    `Ya estaba ${decision.undoneAt ? 'deshecho' : 'decidido'}: ${decidedText(decision)}${dot}${decision.decidedBy.replace(directions, '') || decisionTexts.operator}`,
  operator: 'Quien administra el servidor',
} as const;

/** What was decided, in lists and messages. */
export function decidedText({ action, subject, accounts }: Decision): string {
  if (subject.kind === 'appeal') return 'La decisión se mantiene';
  if (action === 'hideAll' && accounts > 1) return `${accounts} cuentas ocultadas por completo`;
  if (action !== 'hide') return decidedTexts[action];
  return subject.kind === 'channel' ? 'Canal ocultado' : 'Comentario ocultado';
}

/** Texts of what moderators do on public pages too. */
export const staffTexts = {
  roleLost: 'Ya no formas parte del equipo de moderación.',
  undo: 'Deshacer',
  versions: 'Versiones anteriores',
} as const;
