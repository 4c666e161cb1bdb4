import type { Category, DecisionAction } from '../../shared/moderation.ts';

export const categoryTexts: Record<Category, string> = {
  spam: 'Publicidad',
  abuse: 'Insultos o acoso',
  personal_data: 'Datos personales',
  illegal: 'Contenido ilegal',
  other: 'Otra cosa',
};

/** In lists of decisions. */
export const decidedTexts: Record<DecisionAction, string> = {
  hide: 'Oculto',
  dismiss: 'Todo en orden',
  silence: 'Cuenta silenciada',
  suspend: 'Cuenta suspendida',
  hideAll: 'Todo lo de la cuenta, oculto',
  approve: 'Aprobado',
  reject: 'Rechazado',
  undo: 'Deshecho',
  passwordLink: 'Enlace para otra contraseña',
};

/** Begins the fragment of the log's address that asks for the outcome of a report. */
export const receiptPrefix = 'aviso-';

/** Texts of the public log. */
export const logTexts = {
  rulesLead: 'Se decide según las ',
  rules: 'normas',
  undone: 'deshecha',
} as const;
