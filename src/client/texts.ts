import { mostUnread, numberText } from '../shared/number-texts.ts';
import type { Site } from '../shared/page-data.ts';

/**
 * Texts of all public pages. Quotations of the specification keep its spelling ('Registarse', 'inciar
 * sesión').
 */
export const texts = {
  /** While the community has given itself none. */
  siteName: 'tertulia',
  skipLink: 'Saltar al contenido',
  skipToUnread: 'Saltar a lo nuevo',
  skipToForm: 'Saltar al formulario',
  userMenu: 'Menú de usuario',
  toDark: 'Cambiar a tema oscuro',
  toLight: 'Cambiar a tema claro',
  menuProfile: 'Perfil',
  menuSignOut: 'Cerrar sesión',
  signIn: 'Iniciar sesión',
  menuSignUp: 'Registarse',
  entering: 'Iniciando sesión…',
  madeWith: 'Hecho con 💚 por 🦖',
  socialLinks: 'Redes sociales',
  writeTo: 'Escribe a',

  retry: 'Reintentar',
  copyLink: 'Copiar enlace',
  linkCopied: 'Enlace copiado',
  linkNotCopied: 'No se pudo copiar. Este es el enlace:',
  loading: 'Cargando…',
  fromTheStart: 'Ver desde el principio',

  lede: 'Canales para conversar con calma. Entra en uno o abre el tuyo.',
  createAccount: 'Crear cuenta',
  createChannel: 'Crear Canal',
  unread: (count: number) =>
    count === 1 ? '1 nuevo' : `${count > mostUnread ? `${mostUnread}+` : count} nuevos`,
  commentCount: (count: number) =>
    count === 1 ? '1 comentario' : `${numberText(count)} comentarios`,

  opened: 'abierto',
  closed: 'cerrado',
  laterComments: (count: number, isExact: boolean) =>
    `Siguientes (${isExact ? '' : 'hasta '}${numberText(count)})`,
  moreComments: (count: number) =>
    count === 1 ? 'Ver 1 comentario más' : `Ver ${numberText(count)} comentarios más`,
  toNewest: 'Ir a lo último',
  toUnread: 'Ir a lo nuevo',
  searchInChannel: 'Buscar en este canal',
  searchByAuthor: 'Buscar en sus comentarios',
  pageFailed: 'No se pudo mostrar esta parte de la página',

  replyToDeleted: 'En respuesta a un comentario eliminado',
  replyCount: (count: number) => (count === 1 ? '1 respuesta' : `${numberText(count)} respuestas`),
  repliesTo: (count: number, autor: string) => `${texts.replyCount(count)} a ${autor}`,
} as const;

/** Characters that embed, override or isolate a direction, or end that. Not ended, they turn what follows. */
export const directions = /[\u202a-\u202e\u2066-\u2069]/g;

/** The name of the site. */
export const siteNameOf = ({ name }: Pick<Site, 'name'>): string => name || texts.siteName;
