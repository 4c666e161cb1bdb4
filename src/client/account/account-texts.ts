/**
 * Texts of the account bundle. Those that the specification or the API contract quote are to the
 * letter.
 */
export const accountTexts = {
  offline: 'No hay conexión con el servidor. Comprueba tu red y vuelve a intentarlo.',
  late: 'El servidor tarda demasiado en responder. Vuelve a intentarlo en un momento.',
  needsScript: 'Esta página necesita JavaScript para funcionar.',

  signIn: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  signUpLink: 'Registrarse',
  forgotPassword: '¿Olvidaste tu contraseña?',
  sessionLost:
    'Tu sesión ha terminado. Inicia sesión otra vez: lo que estabas escribiendo sigue donde lo dejaste.',
  noAccountYet: '¿Aún no tienes cuenta?',

  repeatPassword: 'Repite la contraseña',
  passwordsDiffer: 'Las dos contraseñas no son iguales.',
  savePassword: 'Guardar la contraseña',
  passwordEndsSessions: 'Al guardarla se cierran todas tus sesiones y vuelves a entrar con ella.',

  name: 'Nombre',
  signUp: 'Registrarse',
  haveAccount: '¿Ya tienes cuenta? Inicia sesión',

  errorTitle: 'Error',
  wrongData: 'Los datos suministrados no son correctos, verifica tus datos y vuelve a intentar',
  accept: 'Aceptar',

  channelTitle: 'Título',
  channelDescription: 'Descripción',
  coverImage: 'Imagen de portada',
  coverAlt: 'Texto alternativo de la portada',
  coverAltHint: 'Opcional: qué se ve en la portada, para quien no puede verla.',
  coverHint: 'Resolución recomendada: 1000x400px (Máximo 1MB)',
  coverChoose: 'Elige una imagen, arrástrala hasta aquí o pégala',
  coverDrop: 'Suelta la imagen para subirla',
  coverChange: 'Cambiar imagen',
  coverUploaded: 'Portada subida',
  incompleteChannel: '⚠ debes completar todos los campos y subir una imagen de portada',

  upload: 'Subida de la imagen',
  uploadPreparing: 'Preparando la imagen',
  uploadRunning: 'Subiendo la imagen',
  uploadPaused: 'Subida en pausa',
  uploadFinishing: 'Guardando la imagen',
  pause: 'Pausar',
  resume: 'Reanudar',
  cancel: 'Cancelar',
  uploadOffline: 'Sin conexión: la subida sigue sola cuando vuelva.',
  uploadQueued: 'El servidor está ocupado: la subida sigue sola en unos segundos.',

  changeImage: 'Cambiar foto de perfil',
  imageChanged: 'Foto de perfil actualizada',
  imageFailed: 'No se pudo cambiar la foto de perfil.',
  channelsCreated: 'Canales creados',
  channelsCreatedFailed: 'No se pudo cargar la estadística',

  writeComment: 'Escribe un comentario',
  commentPlaceholder: 'click aquí para empezar a escribir',
  sendComment: 'Comentar',
  commentFailed: 'No se pudo enviar el comentario',
  queuedComments: 'Comentarios pendientes de envío',
  queued: 'Pendiente de envío: se enviará solo cuando vuelva la conexión',
  queuedCount: (count: number) => {
    if (count === 0) return 'Ya no hay comentarios pendientes de envío';
    return count === 1
      ? '1 comentario pendiente de envío'
      : `${count} comentarios pendientes de envío`;
  },
  queuedTooLong: 'Lleva casi un mes sin enviarse. Comprueba que no esté ya y escríbelo de nuevo.',
  sendNow: 'Enviar ahora',
  discard: 'Descartar',
  unsentText: 'Lo que escribías aquí',
  unsentTextHint: 'Este canal ya no está, pero tu texto sí. Cópialo si quieres conservarlo.',
} as const;
