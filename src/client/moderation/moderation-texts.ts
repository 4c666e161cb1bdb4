import type { Action, Category } from '../../shared/moderation.ts';

export const categoryTexts: Record<Category, string> = {
  spam: 'Publicidad',
  abuse: 'Insultos o acoso',
  personal_data: 'Datos personales',
  illegal: 'Contenido ilegal',
  other: 'Otra cosa',
};

/** On the buttons of moderators. */
export const actionTexts: Record<Action, string> = {
  hide: 'Ocultar',
  restore: 'Restaurar',
  dismiss: 'Todo en orden',
  silence: 'Silenciar',
  suspend: 'Suspender',
  release: 'Levantar',
  hideAll: 'Ocultar todo lo de esta cuenta',
};

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
