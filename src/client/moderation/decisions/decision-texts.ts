import type { Decision, NewDecision } from '../../../shared/moderation.ts';
import { directions, dot } from '../../ui/texts.ts';
import { decidedTexts } from './log-texts.ts';

/** What a moderator does: decides, or undoes a decision. */
export type StaffAction = NewDecision['action'] | 'undo';

/** In place of a moderator's name. */
export const operatorText = 'Quien administra el servidor';

export const decidedBeforeText = (decision: Decision) =>
  `Ya estaba ${decision.undoneAt ? 'deshecho' : 'decidido'}: ${decidedText(decision)}${dot}${decision.decidedBy.replace(directions, '') || operatorText}`;

/** What was decided, in lists and messages. */
export function decidedText({ action, subject, accounts }: Decision): string {
  if (subject.kind === 'appeal') return 'La decisión se mantiene';
  if (action === 'hideAll' && accounts > 1) return `${accounts} cuentas ocultadas por completo`;
  if (action !== 'hide') return decidedTexts[action];
  return subject.kind === 'channel' ? 'Canal ocultado' : 'Comentario ocultado';
}
