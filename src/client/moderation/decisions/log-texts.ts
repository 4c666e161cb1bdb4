import type {
  Category,
  Decision,
  DecisionAction,
  ReportState,
} from '../../../shared/moderation.ts';

export const categoryTexts: Record<Category, string> = {
  spam: 'Publicidad',
  abuse: 'Insultos o acoso',
  personal_data: 'Datos personales',
  illegal: 'Contenido ilegal',
  other: 'Otra cosa',
};

/** A reason for each category, that can be sent as it is or changed. */
export const categoryReasons: Record<Category, string> = {
  spam: 'Este foro no es para anunciar cosas.',
  abuse: 'Aquí no se insulta ni se acosa a nadie, tampoco cuando no se está de acuerdo.',
  personal_data: 'Aquí no se publican datos de otras personas sin su permiso.',
  illegal: 'Aquí no se publica nada contrario a la ley.',
  other: 'No encaja con las normas de este foro.',
};

export const categories = Object.keys(categoryTexts) as Category[];

/** Decisions in lists. */
export const decidedTexts: Record<DecisionAction, string> = {
  hide: 'Contenido ocultado',
  dismiss: 'Todo en orden',
  silence: 'Cuenta sin poder escribir',
  suspend: 'Cuenta suspendida',
  hideAll: 'Cuenta ocultada por completo',
  approve: 'Aprobado',
  reject: 'Rechazado',
  undo: 'Decisión deshecha',
  passwordLink: 'Enlace para poner una contraseña nueva',
};

/** The category of a decision; undefined for approvals, dismissals and password links, which have none. */
export const categoryOf = ({ action, category }: Pick<Decision, 'action' | 'category'>) =>
  ['dismiss', 'approve', 'passwordLink'].includes(action) ? undefined : categoryTexts[category];

/** Whether a report is decided, and how. */
export function outcomeText({ state, outcome }: ReportState): string {
  if (state === 'open') return 'El equipo de moderación aún no ha decidido.';
  return `Ya está decidido${outcome ? `: ${decidedTexts[outcome]}` : ''}.`;
}

/** Prefix of the fragment in the log's URL that shows the outcome of a report. */
export const receiptPrefix = 'aviso-';
