import type { DecisionAction, SubjectKind } from '../../shared/moderation.ts';

/** Texts about decisions, for the people whom they concern. */
export const ownTexts = {
  title: 'Decisiones sobre tu cuenta',
  intro: 'Lo que han decidido quienes moderan, y por qué.',
  log: 'registro público',
  inLog: 'Lo que se oculta, se restringe o se deshace está, sin nombres ni textos, en el ',
  reason: 'Motivo:',
  what: (action: DecisionAction, kind: SubjectKind) =>
    `Quienes moderan ${done[action]}${action === 'hide' ? objects[kind] : ''}`,
  until: (date: string) => `Hasta el ${date}.`,
  noEnd: 'Sin fecha de fin.',
  ended: 'Ya no está en vigor.',
  appeal: 'Recurrir',
  appealOf: 'Recurrir esta decisión',
  appealLabel: 'Por qué crees que es un error',
  appealHint: 'Se puede recurrir una vez. Lo decide otra persona del equipo, si la hay.',
  notAppealed: 'No se pudo enviar.',
  yourAppeal: 'Tu recurso:',
  appealStates: {
    open: 'Recurrida: aún no hay respuesta.',
    upheld: 'Recurrida: la decisión se mantiene.',
    granted: 'Recurrida: te han dado la razón.',
  },
} as const;

const done: Record<DecisionAction, string> = {
  hide: 'ocultaron',
  dismiss: 'dejaron como está',
  silence: 'decidieron que no puedas escribir',
  suspend: 'suspendieron tu cuenta',
  hideAll: 'ocultaron todo lo que has escrito',
  approve: 'publicaron lo que escribiste',
  reject: 'no publicaron lo que escribiste',
  undo: 'deshicieron lo que habían decidido',
  passwordLink: 'dieron un enlace para poner otra contraseña en tu cuenta',
};
const objects: Record<SubjectKind, string> = {
  comment: ' tu comentario',
  channel: ' tu canal',
  user: '',
};
