/** Texts about comments that only signed-in users see. */
export const commentTexts = {
  edit: 'Editar',

  remove: 'Quitar',
  queuedReply: 'Es una respuesta a otro comentario',
  queuedFiles: (count: number) => (count === 1 ? 'Con 1 archivo' : `Con ${count} archivos`),

  copy: 'Copiar',
  waitUntilSent: 'Espera a que se envíe lo que has escrito.',
  discardComment: '¿Descartar lo que estabas escribiendo?',
} as const;
