/**
 * The texts that visitors read. Those quoted in the specification keep its spelling
 * ('Registarse', 'inciar sesión').
 */
export const texts = {
  siteName: 'tertulia',
  skipLink: 'Saltar al contenido',
  userMenu: 'Menú de usuario',
  toDark: 'Cambiar a tema oscuro',
  toLight: 'Cambiar a tema claro',
  menuProfile: 'Perfil',
  menuSignOut: 'Cerrar sesión',
  menuSignIn: 'Iniciar sesión',
  menuSignUp: 'Registarse',
  madeWith: 'Hecho con 💚 por 🦖',
  socialLinks: 'Redes sociales',

  retry: 'Reintentar',
  loading: 'Cargando…',
  fromTheStart: 'Ver desde el principio',

  welcome: 'Bienvenidos a tertulia',
  lede: 'Canales para conversar con calma. Entra en uno, o abre el tuyo.',
  createChannel: 'Crear Canal',
  mustSignInToCreate: 'Debes iniciar sesión para crear un canal',
  noChannels: 'Aún no hay canales',
  moreChannels: 'Ver más canales',
  listFailed: 'No se pudieron cargar los canales',
  moreChannelsFailed: 'No se pudieron cargar más canales',
  commentCount: (count: number) => (count === 1 ? '1 comentario' : `${count} comentarios`),

  coverOf: (name: string) => `Portada de ${name}`,
  opened: 'abierto',
  comments: 'Comentarios',
  noComments: 'Aún no hay comentarios',
  moreComments: 'Ver más comentarios',
  moreCommentsFailed: 'No se pudieron cargar más comentarios',
  channelFailed: 'No se pudo cargar el canal',
  pageFailed: 'Esta página ha fallado',
  newCommentBy: (autor: string) => `Nuevo comentario de ${autor}`,
  mustSignInToComment: ['Si deseas comentar debes ', 'inciar sesión', ' 😁'],

  notFound: 'Página no encontrada',
  notFoundLead: 'Aquí no hay nada, o lo que había ya no está.',
  backHome: 'Volver al inicio',
} as const;
