import { numberText } from '../../shared/number-texts.ts';

/** What visitors read on the search page only. */
export const searchTexts = {
  search: 'Buscar',
  field: 'Buscar en comentarios y canales',
  fieldInChannel: (name: string) => `Buscar en el canal ${name}`,
  inChannel: 'En',
  inAllChannels: 'Buscar en todos los canales',
  orders: { new: 'Más recientes', relevance: 'Más relevantes' },
  ordersOfHits: 'Orden de los resultados',

  channels: 'Canales',
  comments: 'Comentarios',
  hitIn: 'en',
  results: (count: number) => (count === 1 ? '1 resultado' : `${numberText(count)} resultados`),
  moreThan: (count: number) => `Más de ${numberText(count)} resultados`,
  noResults: 'Sin resultados',
  notYet: 'Nada en los comentarios más recientes',
  searching: 'Buscando…',
  more: 'Ver más',
  goOn: 'Seguir buscando',
  moreFailed: 'No se pudieron cargar más resultados',
  incomplete: 'El buscador se está preparando: todavía faltan comentarios antiguos.',

  noHits: 'No hay nada con eso',
  noHitsInChannel: 'En este canal no hay nada con eso',
  didYouMean: '¿Quizá quisiste decir',
  advice: [
    'Prueba con menos palabras: se encuentran solo los textos que las tienen todas.',
    'Busca otra manera de decirlo, o quita las comillas.',
    'Mira que las palabras estén bien escritas.',
  ],
  help: 'Cómo se busca',

  goOnTyping: 'Sigue escribiendo: una palabra a medias se busca desde la tercera letra.',
  searchedChannelGone: 'Este canal ya no está. Busca en todos los canales.',
  searchFailed: 'No se pudo buscar. Comprueba la conexión y vuelve a intentarlo.',
  searchIsLate: 'La búsqueda tarda demasiado. Vuelve a intentarlo en un momento.',
} as const;
