/** Texts of the home page and of NotFound. */
export const homeTexts = {
  welcome: 'Bienvenidos a ',
  mustSignInToCreate: 'Debes iniciar sesión para crear un canal',
  search: 'Buscar en comentarios y canales',
  searched: '¿Qué buscas?',
  searchButton: 'Buscar',
  channelOrders: 'Orden de los canales',
  orders: { comments: 'Más comentados', activity: 'Con novedades', new: 'Nuevos' },
  inChannel: (name: string) => `en ${name}`,
  lastComment: 'último comentario',
  noChannels: 'Aún no hay canales',
  openFirst: 'Abre el primer canal',
  firstSteps: {
    account: 'Crea tu cuenta',
    hasAccount: 'Ya tienes cuenta',
    accountHint: 'Con un nombre, un correo y una contraseña.',
    hasAccountHint: 'Con ella abres canales y comentas.',
    channel: 'Crea un canal',
    channelHint:
      'Ponle un título, cuenta de qué va y elige una portada. Si no tienes una imagen a mano, usa un azulejo.',
    link: 'Pasa el enlace a tu grupo',
    linkHint: 'Lo copias en la página del canal. Para leerlo no hace falta tener cuenta.',
  },
  moreChannels: 'Ver más canales',
  listFailed: 'No se pudieron cargar los canales',
  notFound: 'Página no encontrada',
  notFoundLead: 'Aquí no hay nada, o lo que había ya no está.',
  ownPageMissing:
    'Tu página no se muestra por ahora: falta que quienes moderan aprueben algo tuyo, o lo han ocultado todo.',
  backHome: 'Volver al inicio',
} as const;
