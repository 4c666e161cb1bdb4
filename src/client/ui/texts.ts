import { numberText } from '../../shared/number-texts.ts';
import type { Site } from '../../shared/page-data.ts';

/** Texts that several public pages share. */
export const texts = {
  /** While the community has given itself none. */
  siteName: 'tertulia',
  signIn: 'Iniciar sesión',

  retry: 'Reintentar',
  copyLink: 'Copiar enlace',
  loading: 'Cargando…',
  fromTheStart: 'Ver desde el principio',

  lede: 'Canales para conversar con calma. Entra en uno o abre el tuyo.',
  createChannel: 'Crear Canal',
  pending: (count: number) => (count === 1 ? '1 pendiente' : `${numberText(count)} pendientes`),
  commentCount: (count: number) =>
    count === 1 ? '1 comentario' : `${numberText(count)} comentarios`,

  opened: 'creado',
  closed: 'cerrado',
  searchByAuthor: 'Buscar en sus comentarios',

  /** In place of the text of a comment that has only images, where they are not shown. */
  imagesAlone: 'Imagen',
  replyCount: (count: number) => (count === 1 ? '1 respuesta' : `${numberText(count)} respuestas`),
  repliesTo: (count: number, autor: string) => `${texts.replyCount(count)} a ${autor}`,
} as const;

/** Characters that embed, override or isolate a direction, or end that. Not ended, they turn what follows. */
export const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/** Between two facts on a line. The spaces keep a line from beginning or ending with it. */
export const dot = '\u00a0·\u00a0';

/** The name of the site. */
export const siteNameOf = ({ name }: Pick<Site, 'name'>): string => name || texts.siteName;
