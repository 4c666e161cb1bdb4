import { numberText } from '../../shared/number-texts.ts';

/** Texts of the search page. */
export const searchTexts = {
  search: 'Buscar',
  field: 'Buscar en comentarios y canales',
  fieldInChannel: (name: string) => `Buscar en el canal ${name}`,
  fieldByAuthor: (name: string) => `Buscar en los comentarios de ${name}`,
  limitedTo: { channel: 'En', author: 'Comentarios de' },
  unlimited: {
    channel: 'Buscar en todos los canales',
    author: 'Buscar en los comentarios de todos',
  },
  orders: { new: 'Más recientes', relevance: 'Más relevantes' },
  ordersOfHits: 'Orden de los resultados',

  resultsOf: 'Resultados de',
  onlyAsWritten: 'Buscar solo',
  found: (count: string, searched: string | null) =>
    searched === null ? count : `${count} de ${searched}`,
  people: 'Personas',
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
  incomplete:
    'Pueden faltar comentarios antiguos: el buscador se está preparando o no le ha dado tiempo a mirarlo todo.',

  noHits: 'No hay resultados para',
  noHitsInChannel: 'En este canal no hay resultados para',
  noHitsByAuthor: 'En sus comentarios no hay resultados para',
  didYouMean: '¿Quizá quisiste decir',
  advice: [
    'Prueba con menos palabras.',
    'Comprueba que estén bien escritas.',
    'Busca otra manera de decirlo o quita las comillas.',
  ],
  help: 'Cómo se busca',

  goOnTyping: 'Sigue escribiendo: una palabra a medias se busca desde la tercera letra.',
  searchedChannelGone: 'Este canal ya no está. Busca en todos los canales.',
  searchedAuthorGone: 'Esa persona no existe o ya no está. Busca en los comentarios de todos.',
} as const;
