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
  edit: 'Editar',
  delete: 'Eliminar',
  deleted: 'Comentario eliminado',
  undo: 'Deshacer',
  restored: 'Comentario recuperado',
  notDeleted: 'No se pudo eliminar el comentario.',
  notRestored: 'No se pudo recuperar el comentario.',
  notThanked: 'No se pudo dar las gracias.',
  notUnthanked: 'No se pudo retirar el agradecimiento.',
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
  tooManyImages: `Puedes añadir hasta ${limits.imagesPerComment} imágenes por comentario.`,
  imageUploading: 'Aún se está subiendo una imagen. Se enviará cuando termine.',
  leftUnsent:
    'No se ha enviado: la imagen aún se estaba subiendo. Lo que escribías se ha guardado.',
  cancelSending: 'No enviar todavía',
  chooseImageAgain: (number: number) => `Elige otra vez la imagen ${number}.`,
  imageElsewhere: 'Se está subiendo en otra pestaña. Si está en pausa, reanúdala allí.',
  imageLost: 'Esta imagen no llegó a subirse y el navegador no la ha conservado.',
  chooseAgain: 'Elígela otra vez.',
  queuedReply: 'Es una respuesta a otro comentario',
  queuedImages: (count: number) => (count === 1 ? 'Con 1 imagen' : `Con ${count} imágenes`),

  rescued:
    'El comentario que estabas editando o al que respondías se ha eliminado, o ya no se puede editar. Aquí tienes lo que escribías: si quieres, envíalo como comentario nuevo.',

  heldComments: 'Tus comentarios en revisión',
  heldChannels: 'Tus canales en revisión',
  withdrawal: {
    label: 'Retirar',
    done: 'Retirado. Puedes seguir escribiéndolo.',
    failed: 'No se pudo retirar.',
  },
  removal: {
    label: 'Quitar',
    question: '¿Quitarlo? Su texto se borra.',
    done: 'Quitado',
    failed: 'No se pudo quitar.',
  },
  refused: (reason: string) => `No se publicó. ${reason}`,
  yourText: 'Lo que escribiste',
  copy: 'Copiar',

  editComment: 'Edita tu comentario',
  saved: 'Cambios guardados',
  notSaved: 'No se pudieron guardar los cambios',
} as const;
