/** Texts of the home page and of NotFound. */
export const homeTexts = {
  welcome: 'Bienvenidos a tertulia',
  mustSignInToCreate: 'Debes iniciar sesión para crear un canal',
  search: 'Buscar en comentarios y canales',
  searched: '¿Qué buscas?',
  searchButton: 'Buscar',
  channelOrders: 'Orden de los canales',
  orders: { comments: 'Más comentados', activity: 'Con novedades', new: 'Nuevos' },
  inChannel: (name: string) => `en ${name}`,
  lastComment: 'último comentario',
  noChannels: 'Aún no hay canales',
  moreChannels: 'Ver más canales',
  listFailed: 'No se pudieron cargar los canales',
  moreChannelsFailed: 'No se pudieron cargar más canales',
  notFound: 'Página no encontrada',
  notFoundLead: 'Aquí no hay nada, o lo que había ya no está.',
  backHome: 'Volver al inicio',
} as const;
