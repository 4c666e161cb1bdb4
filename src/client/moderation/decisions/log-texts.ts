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

export const categories = Object.keys(categoryTexts) as Category[];

/** In lists of decisions. */
export const decidedTexts: Record<DecisionAction, string> = {
  hide: 'Contenido ocultado',
  dismiss: 'Todo en orden',
  silence: 'Cuenta silenciada',
  suspend: 'Cuenta suspendida',
  hideAll: 'Cuenta ocultada por completo',
  approve: 'Aprobado',
  reject: 'Rechazado',
  undo: 'Decisión deshecha',
  passwordLink: 'Enlace para otra contraseña',
};

/** The category of a decision. What is approved or left as it is, and a link to a new password, have none. */
export const categoryOf = ({ action, category }: Pick<Decision, 'action' | 'category'>) =>
  ['dismiss', 'approve', 'passwordLink'].includes(action) ? undefined : categoryTexts[category];

/** The text that says whether a report is decided, and how. */
export function outcomeText({ state, outcome }: ReportState): string {
  if (state === 'open') return 'Quienes moderan aún no han decidido.';
  return `Ya está decidido${outcome ? `: ${decidedTexts[outcome]}` : ''}.`;
}

/** Begins the fragment of the log's address that asks for the outcome of a report. */
export const receiptPrefix = 'aviso-';
