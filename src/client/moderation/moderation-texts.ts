import type { Action, Category } from '../../shared/moderation.ts';

export const categoryTexts: Record<Category, string> = {
  spam: 'Publicidad',
  abuse: 'Insultos o acoso',
  personal_data: 'Datos personales',
  illegal: 'Contenido ilegal',
  other: 'Otra cosa',
};

export { actionTexts } from '../subject-texts.ts';

/** In lists of decisions. */
export const decidedTexts: Record<Action, string> = {
  hide: 'Oculto',
  restore: 'Restaurado',
  dismiss: 'Todo en orden',
  silence: 'Cuenta silenciada',
  suspend: 'Cuenta suspendida',
  release: 'Restricción levantada',
  hideAll: 'Todo lo de la cuenta, oculto',
};

/** Of the form that makes a decision, and of decisions in lists. */
export const decisionTexts = {
  /** What each action does, before it is done. */
  effects: {
    hide: 'Deja de verse para todo el mundo. Se puede deshacer.',
    restore: 'Vuelve a verse.',
    dismiss: 'Se queda como está.',
    silence: 'Podrá leer, pero no escribir.',
    suspend: 'No podrá usar su cuenta.',
    release: 'Podrá volver a escribir.',
    hideAll:
      'Deja de verse todo lo que ha escrito y no podrá escribir más. Se puede deshacer de una vez.',
  } satisfies Record<Action, string>,
  category: 'Categoría',
  until: 'Durante',
  days: (count: number) => {
    if (count === 0) return 'Sin fecha de fin';
    return count === 1 ? '1 día' : `${count} días`;
  },
  reason: 'Motivo',
  optionalReason: 'Motivo (opcional)',
  reasonHint: 'Lo leerá la persona afectada.',
  missingReason: 'Escribe el motivo.',
  discard: '¿Descartar el motivo que has escrito?',
  decidedBefore: 'Alguien lo decidió antes:',
  goOn: 'Seguir',
  untilDate: (date: string) => `hasta el ${date}`,
  operator: 'Quien administra el servidor',
  undone: 'deshecha',
  undo: 'Deshacer',
} as const;
