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
  intro:
    'Lo que deciden quienes moderan este foro, sin nombres ni textos, menos lo que aprueban o dejan como está. Lo más nuevo, primero.',
  rulesLead: 'Se decide según las ',
  rules: 'normas',
  empty: 'Aún no se ha decidido nada.',
  undone: 'deshecha',
  more: 'Siguientes',

  outcome: 'Tu denuncia',
  isOpen: 'Quienes moderan aún no han decidido. Vuelve a este enlace más adelante.',
  decided: (text: string | undefined) => `Ya está decidido${text ? `: ${text}` : ''}.`,
} as const;
