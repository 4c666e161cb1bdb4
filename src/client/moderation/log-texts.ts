import type { Action, Category } from '../../shared/moderation.ts';

export const categoryTexts: Record<Category, string> = {
  spam: 'Publicidad',
  abuse: 'Insultos o acoso',
  personal_data: 'Datos personales',
  illegal: 'Contenido ilegal',
  other: 'Otra cosa',
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
  approve: 'Aprobado',
  reject: 'Rechazado',
  passwordLink: 'Enlace para otra contraseña',
};

/** Begins the fragment of the log's address that asks for the outcome of a report. */
export const receiptPrefix = 'aviso-';

/** Texts of the public log. */
export const logTexts = {
  intro:
    'Cada decisión de quienes moderan este foro, sin nombres ni textos. Las más nuevas, primero.',
  rulesLead: 'Se decide según las ',
  rules: 'normas',
  empty: 'Aún no se ha decidido nada.',
  undone: 'deshecha',
  more: 'Siguientes',
} as const;
