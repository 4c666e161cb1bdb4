/** Texts of forms and of parts for signed-in users. Texts from the specification keep its spelling. */
export const accountTexts = {
  signIn: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',

  savePassword: 'Guardar la contraseña',

  name: 'Nombre',

  cancel: 'Cancelar',
  copyLink: 'Copiar enlace',

  commentSent: 'Comentario enviado',
  pending: 'Pendiente de revisión. Se publicará cuando lo aprueben.',
  reviewsNext:
    'Lo primero que escribas aquí lo revisa antes alguien del equipo de moderación: se publicará cuando lo apruebe.',
  commentFailed: 'No se pudo enviar el comentario',
  queued: 'Se enviará en cuanto vuelva la conexión',
  queuedForServer: 'Se enviará en cuanto responda el servidor',
  discard: 'Descartar',
  discardText: '¿Descartar lo que has escrito?',
  save: 'Guardar',
  notSaved: 'No se pudieron guardar los cambios.',

  mailMissing: 'Si no llega, mira en el correo no deseado.',
  othersEnded: 'Se han cerrado las demás sesiones.',
} as const;
