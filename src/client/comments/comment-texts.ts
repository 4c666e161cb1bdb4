import { limits } from '../../shared/limits.ts';

/** Texts about comments that only signed-in users see. */
export const commentTexts = {
  reply: 'Responder',
  quote: 'Citar',
  writeReply: 'Escribe tu respuesta',
  sendReply: 'Enviar',
  discardReply: '¿Descartar la respuesta?',
  replySent: 'Respuesta enviada.',
  showReply: 'Ver la respuesta',
  unsentReply: (number: number) => `Tu respuesta al comentario n.º ${number} está sin enviar`,
  thanks: 'Gracias',
  more: 'Más acciones',
  copyLink: 'Copiar enlace',
  linkCopied: 'Enlace copiado',
  linkNotCopied: 'No se pudo copiar. Este es el enlace:',
  edit: 'Editar',
  delete: 'Eliminar',
  deleted: 'Comentario eliminado',
  undo: 'Deshacer',
  restored: 'Comentario recuperado',
  notDeleted: 'No se pudo eliminar el comentario.',
  notRestored: 'No se pudo recuperar el comentario.',
  notThanked: 'No se pudieron enviar las gracias.',
  notUnthanked: 'No se pudieron quitar las gracias.',
  /** The name of a comment's button for screen readers. It must not contain "comentar", the form's button. */
  about: (label: string, number: number, autor: string) => `${label}: n.º ${number}, de ${autor}`,

  people: 'Personas que puedes mencionar',
  candidates: (count: number) =>
    count === 1
      ? '1 persona: elige con las flechas y pulsa Intro'
      : `${count} personas: elige con las flechas y pulsa Intro`,
  wroteHere: 'escribió aquí',
  notWrittenHere: 'aún no ha escrito aquí',

  images: 'Imágenes del comentario',
  addImages: 'Añadir imágenes',
  imageAlt: (number: number) => `Texto alternativo de la imagen ${number}`,
  imageAltHint: 'Qué se ve en la imagen, para quien no pueda verla.',
  removeImage: (number: number) => `Quitar la imagen ${number}`,
  remove: 'Quitar',
  tooManyImages: `Un comentario lleva como mucho ${limits.imagesPerComment} imágenes. Las demás no se han añadido.`,
  waitingForImages: 'Aún se está subiendo una imagen. Se enviará cuando termine.',
  cancelSending: 'No enviar todavía',
  chooseAgain: (number: number) => `Elige otra vez la imagen ${number}.`,
  imageLost:
    'El navegador no ha conservado esta imagen, que no llegó a subirse. Quítala y elígela otra vez.',
  queuedReply: 'Es una respuesta a otro comentario',
  queuedImages: (count: number) => (count === 1 ? 'Con 1 imagen' : `Con ${count} imágenes`),

  editRescued:
    'El comentario que cambiabas se ha eliminado o ya no se puede cambiar. Lo que escribías está ahora aquí: si quieres, envíalo como comentario nuevo.',
  originalDeleted:
    'El comentario al que respondías se ha eliminado. Lo que escribías está ahora aquí: si quieres, envíalo como comentario nuevo.',

  editComment: 'Cambia tu comentario',
  saved: 'Cambios guardados',
  notSaved: 'No se pudo guardar el cambio',
  current: 'Así está ahora:',
  saveOver: 'Si guardas otra vez, tu texto sustituye a este.',
} as const;
