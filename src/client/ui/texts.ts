import { numberText } from '../../shared/number-texts.ts';
import { defaultSiteName } from '../../shared/site-name.ts';

/** Texts shared by several public pages. */
export const texts = {
  siteName: defaultSiteName,
  signIn: 'Iniciar sesión',

  retry: 'Reintentar',
  moreActions: 'Más acciones',
  channelOptions: 'Opciones del canal',
  report: 'Denunciar',
  reply: 'Responder',
  share: 'Compartir',
  loading: 'Cargando…',
  fromTheStart: 'Ver desde el principio',

  lede: 'Canales para conversar con calma. Entra en uno o abre el tuyo.',
  pending: (count: number) => (count === 1 ? '1 pendiente' : `${numberText(count)} pendientes`),

  opened: 'creado',
  closed: 'cerrado',

  whoReads: {
    everyone: 'Este foro lo puede leer cualquiera.',
    members: 'Aquí solo leen los miembros.',
  },

  /** Stands in for the text of a comment that has none, where it is not known what else it has. */
  imagesAlone: 'Imagen',
  replyCount: (count: number) => (count === 1 ? '1 respuesta' : `${numberText(count)} respuestas`),
  repliesTo: (count: number, autor: string) => `${texts.replyCount(count)} a ${autor}`,
} as const;

/**
 * Bidirectional control characters (embeddings, overrides, isolates). Unclosed, they change the direction of the
 * text after them.
 */
export const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/** Separates two facts on a line. The no-break spaces keep it from the beginning or end of a line. */
export const dot = '\u00a0·\u00a0';

/** Appends to the count of a channel's comments whether the channel is closed. */
export const withClosed = (count: string, closedAt: string | null): string =>
  closedAt ? count + dot + texts.closed : count;
