import type { Category } from '../../shared/moderation.ts';

/** The meaning of each reason to report something. */
export const reasonHints: Record<Category, string> = {
  spam: 'Anuncios, estafas o enlaces repetidos.',
  abuse: 'Va contra alguien, o no deja conversar en paz.',
  personal_data: 'Teléfonos, direcciones u otros datos de alguien.',
  illegal: 'Algo que la ley no permite publicar.',
  other: 'Cuéntanos qué pasa.',
};
