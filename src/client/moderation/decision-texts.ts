import type { Decision, NewDecision } from '../../shared/moderation.ts';
import { directions } from '../texts.ts';
import { decidedTexts } from './log-texts.ts';

/** What a moderator does: decides, or undoes a decision. */
export type StaffAction = NewDecision['action'] | 'undo';

/** Texts of the form that makes a decision, and of decisions in lists. */
export const decisionTexts = {
  upheld: 'Se mantiene',
  allOf: (accounts: number) => `Todo lo de ${accounts} cuentas, oculto`,
  /** In the form that undoes a decision about several accounts. */
  alsoShown: (others: number) =>
    `También vuelve lo de ${others === 1 ? 'la otra cuenta' : `las otras ${others} cuentas`}.`,
  /** The effect of each action, shown before it is done. */
  effects: {
    hide: 'Deja de verse para todo el mundo. Se puede deshacer.',
    dismiss: 'Se queda como está.',
    silence: 'Podrá leer, pero no escribir.',
    suspend: 'No podrá usar su cuenta.',
    hideAll:
      'Deja de verse todo lo escrito, y no se podrá escribir más. Se puede deshacer de una vez.',
    approve: 'Se publica, y desde ahora lo suyo no espera.',
    reject: 'No se publica. Quien lo escribió recibe el texto y el motivo.',
    undo: 'Vuelve a ser como antes, menos lo que oculte también otra decisión. No se puede deshacer.',
  } satisfies Record<StaffAction, string>,
  notLetIn: 'No podrá entrar. Lee el motivo al iniciar sesión, y a los 30 días se borra la cuenta.',
  category: 'Categoría',
  until: 'Durante',
  days: (count: number) => {
    if (count === 0) return 'Sin fecha de fin';
    return count === 1 ? '1 día' : `${count} días`;
  },
  reason: 'Motivo',
  optionalReason: 'Motivo (opcional)',
  reasonHint: 'Lo leerá la persona afectada.',
  notDecided: (label: string) => `No se guardó tu decisión: ${label}.`,
  decidedBefore: (decision: Decision) =>
    `Ya estaba ${decision.undoneAt ? 'deshecho' : 'decidido'}: ${decidedText(decision)} · ${decision.decidedBy.replace(directions, '') || decisionTexts.operator}`,
  untilDate: (date: string) => `hasta el ${date}`,
  operator: 'Quien administra el servidor',
} as const;

/** What was decided, in lists and messages. */
export function decidedText({ action, subject, accounts }: Decision): string {
  if (subject.kind === 'appeal') return decisionTexts.upheld;
  return action === 'hideAll' && accounts > 1
    ? decisionTexts.allOf(accounts)
    : decidedTexts[action];
}

/** Texts of what moderators do on public pages too. */
export const staffTexts = {
  roleLost: 'Ya no formas parte del equipo de moderación.',
  undo: 'Deshacer',
  undone: 'Deshecho',
  notUndone: 'No se pudo deshacer.',
  /** The reason of a decision that is undone right away. */
  slip: 'Fue un error.',
  versions: 'Versiones anteriores',
  until: 'hasta',
  now: 'Ahora',
  close: 'Cerrar',
} as const;
