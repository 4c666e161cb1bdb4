import type { DecisionAction, SubjectKind } from './moderation.ts';
import type { DecisionNotification } from './notifications.ts';
import { commentLink, pageRoutes } from './routes.ts';

/** Id of the element that shows a decision in the settings. */
export const decisionAnchor = (id: string) => `decision-${id}`;

/** URL of a decision in the settings of the person concerned. */
const decisionLink = (id: string) => `${pageRoutes.settings}#${decisionAnchor(id)}`;

const decided: Record<DecisionAction, string> = {
  hide: 'ha ocultado',
  dismiss: 'ha mantenido la decisión que pediste revisar',
  silence: 'ha decidido que no puedas escribir',
  suspend: 'ha suspendido tu cuenta',
  hideAll: 'ha ocultado todo lo que has escrito',
  approve: 'ha publicado lo que escribiste',
  reject: 'no ha publicado lo que escribiste',
  undo: 'ha deshecho lo que había decidido',
  passwordLink: 'ha dado un enlace para poner una contraseña nueva en tu cuenta',
};
const hidden: Record<SubjectKind, string> = {
  comment: ' tu comentario',
  channel: ' tu canal',
  user: '',
};
const admitted: Partial<Record<DecisionAction, string>> = {
  approve: 'ha aceptado tu cuenta',
  reject: 'no ha aceptado tu cuenta',
};

/** A decision in words for the person concerned. */
export function decisionText(action: DecisionAction, subject: SubjectKind): string {
  const what = (subject === 'user' && admitted[action]) || decided[action];
  return `El equipo de moderación ${what}${action === 'hide' ? hidden[subject] : ''}`;
}

/** The place of what was published, or the page that says why: a refused account reads it when it signs in. */
export function decisionNotificationLink(decision: DecisionNotification): string {
  const { action, subject, channel, number, decisionId } = decision;
  if (channel)
    return number === null ? pageRoutes.channel(channel._id) : commentLink(channel._id, number);
  if (subject === 'user' && action === 'approve') return pageRoutes.home;
  if (subject === 'user' && action === 'reject') return pageRoutes.login;
  return decisionLink(decisionId);
}
