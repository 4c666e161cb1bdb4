import type { Decision, NewDecision } from '../../../shared/moderation.ts';
import { directions, dot } from '../../ui/texts.ts';
import { decidedTexts } from './log-texts.ts';

/** An action of a moderator: a decision, or undoing one. */
export type StaffAction = NewDecision['action'] | 'undo';

/** Shown instead of a moderator's name for decisions by the operator. */
export const operatorText = 'Quien administra el servidor';

export const decidedBeforeText = (decision: Decision) =>
  `Ya estaba ${decision.undoneAt ? 'deshecho' : 'decidido'}: ${decidedText(decision)}${dot}${decision.decidedBy.replace(directions, '') || operatorText}`;

/** The decision in words, for lists and messages. */
export function decidedText({ action, subject, accounts }: Decision): string {
  if (subject.kind === 'appeal') return 'La decisión se mantiene';
  if (action === 'hideAll' && accounts > 1) return `${accounts} cuentas ocultadas por completo`;
  if (action !== 'hide') return decidedTexts[action];
  return subject.kind === 'channel' ? 'Canal ocultado' : 'Comentario ocultado';
}
