import type { Action, SubjectKind } from '../../shared/moderation.ts';

/** What somebody reads about decisions that concern them. */
export const ownTexts = {
  title: 'Decisiones sobre tu cuenta',
  intro: 'Lo que han decidido quienes moderan, y por qué.',
  log: 'registro público',
  inLog: 'Cada decisión está, sin nombres ni textos, en el ',
  reason: 'Motivo:',
  failed: 'No se pudieron cargar las decisiones sobre tu cuenta',
  what: (action: Action, kind: SubjectKind) => `Quienes moderan ${done(action, kind)}`,
  until: (date: string) => `Hasta el ${date}.`,
  noEnd: 'Sin fecha de fin.',
  ended: 'Ya no está en vigor.',
  appeal: 'Recurrir',
  appealOf: 'Recurrir esta decisión',
  appealLabel: 'Por qué crees que es un error',
  appealHint: 'Se puede recurrir una vez. Lo decide otra persona del equipo, si la hay.',
  discard: '¿Descartar lo que has escrito?',
  notAppealed: 'No se pudo enviar.',
  yourAppeal: 'Tu recurso:',
  appealStates: {
    open: 'Recurrida: aún no hay respuesta.',
    upheld: 'Recurrida: la decisión se mantiene.',
    granted: 'Recurrida: te han dado la razón.',
  },
} as const;

function done(action: Action, kind: SubjectKind): string {
  const what = kind === 'channel' ? 'tu canal' : 'tu comentario';
  switch (action) {
    case 'hide':
      return `ocultaron ${what}`;
    case 'restore':
      return `volvieron a mostrar ${what}`;
    case 'silence':
      return 'decidieron que no puedas escribir';
    case 'suspend':
      return 'suspendieron tu cuenta';
    case 'release':
      return 'levantaron las restricciones de tu cuenta';
    case 'hideAll':
      return 'ocultaron todo lo que has escrito';
    case 'dismiss':
      return 'lo dejaron como está';
  }
}
