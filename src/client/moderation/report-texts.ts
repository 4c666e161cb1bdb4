import type { Category, SubjectKind } from '../../shared/moderation.ts';

/** The meaning of each reason to report something. */
export const reasonHints: Record<Category, string> = {
  spam: 'Anuncios, estafas o enlaces repetidos.',
  abuse: 'Va contra alguien, o no deja conversar en paz.',
  personal_data: 'Teléfonos, direcciones u otros datos de alguien.',
  illegal: 'Algo que la ley no permite publicar.',
  other: 'Cuéntanos qué pasa.',
};

/** Texts of the form that reports something, and of what came of it. */
export const reportTexts = {
  question: {
    comment: '¿Qué pasa con este comentario?',
    channel: '¿Qué pasa con este canal?',
    user: '¿Qué pasa con esta persona?',
  } satisfies Record<SubjectKind, string>,
  explanation: 'Explicación',
  explanationHint: 'Opcional. Lo leen solo quienes moderan.',
  whyIllegal: 'Explica por qué es ilegal',
  whoAsks: 'Para un aviso de contenido ilegal, la ley pide saber de quién viene.',
  name: 'Tu nombre',
  email: 'Tu correo electrónico',
  goodFaith: 'Lo digo de buena fe',
  goodFaithHint: 'Lo que cuento es exacto y completo, hasta donde sé.',
  send: 'Enviar',
  notSent: 'No se pudo enviar la denuncia.',
  thanks:
    'Gracias. Quienes moderan lo van a mirar. Guarda este enlace si quieres saber qué se decide:',
  outcomeLink: 'Qué pasó con mi denuncia',
} as const;
