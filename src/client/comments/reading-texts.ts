import { numberText } from '../../shared/number-texts.ts';

/** Texts of a channel's page that every visitor reads. */
export const readingTexts = {
  comments: 'Comentarios',
  noComments: 'Aún no hay comentarios',
  startTalking:
    'Empieza la conversación o pasa el enlace a tu grupo: para leer no hace falta tener cuenta.',
  passLink: 'Pasa el enlace a tu grupo: para leer no hace falta tener cuenta.',
  earlierComments: 'Anteriores',
  channelFailed: 'No se pudo cargar el canal',
  edited: 'editado',
  thisChannel: 'este canal',
  about: (number: number, autor: string) => `n.º ${number}, de ${autor}`,
  replyTo: 'En respuesta a',
  thanksFrom: 'Gracias de',
  /** Before a list that begins with `you`. */
  thanksOf: 'Gracias:',
  you: 'tú',
  thankful: 'Quiénes han dado las gracias',
  morePeople: 'Ver más personas',
  /** The conjunction before a name: 'Ana y Luis', 'Ana e Inés'. */
  and: (name: string) => (/^h?[ií](?![aeou])/i.test(name) ? 'e' : 'y'),
  people: (count: number) => (count === 1 ? '1 persona' : `${numberText(count)} personas`),
  imageOf: (number: number, count: number) =>
    count === 1 ? 'Imagen del comentario' : `Imagen ${number} de ${count} del comentario`,
  images: 'Imágenes del comentario',
  imageNumber: (number: number, count: number) => `${number} de ${count}`,
  previousImage: 'Imagen anterior',
  nextImage: 'Imagen siguiente',
  closeImages: 'Cerrar',
  imageText: 'Texto alternativo',
  wholeImage: 'Ver a tamaño completo',
  channelClosed: 'Este canal está cerrado: se puede leer, pero no comentar.',
  coverOf: (name: string) => `Portada de ${name}`,
  wayBack: 'Volver a donde estabas',
  commentRemoved: 'Ese comentario ya no está.',
  editChannel: 'Editar canal',
  newComments: (count: number) =>
    count === 1 ? '1 comentario nuevo' : `${numberText(count)} comentarios nuevos`,
  newCommentBy: (autor: string) => `Nuevo comentario de ${autor}`,
  moreReplies: 'Ver más respuestas',
} as const;
