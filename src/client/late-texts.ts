import { numberText } from '../shared/number-texts.ts';

/** What is shown only once the page is hydrated. */
export const lateTexts = {
  inChannel: 'En este canal',
  write: 'Comentar',
  newComments: (count: number) =>
    count === 1 ? '1 comentario nuevo' : `${numberText(count)} comentarios nuevos`,
  newCommentBy: (autor: string) => `Nuevo comentario de ${autor}`,
  moreReplies: 'Ver más respuestas',
  repliesFailed: 'No se pudieron cargar las respuestas',
  goOnTyping: 'Sigue escribiendo: una palabra a medias se busca desde la tercera letra.',
  searchedChannelGone: 'Este canal ya no está. Busca en todos los canales.',
  searchFailed: 'No se pudo buscar. Comprueba la conexión y vuelve a intentarlo.',
  searchIsLate: 'La búsqueda tarda demasiado. Vuelve a intentarlo en un momento.',
  aboutPerson: (name: string) => `Canales y comentarios de ${name} en tertulia.`,
} as const;
