import { numberText } from '../shared/number-texts.ts';

/** Texts of forms and of what needs an account. Quotations of the specification keep its spelling. */
export const accountTexts = {
  uploaderMissing:
    'No se pudo cargar lo necesario para subir imágenes. Comprueba tu red y recarga la página.',
  needsScript: 'Esta página necesita JavaScript para funcionar.',

  signIn: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  remember: 'Mantener la sesión en este navegador',
  rememberHint:
    'Si no la marcas, tendrás que entrar en cada pestaña nueva. No la marques en un dispositivo que usen otras personas.',
  signUpLink: 'Registrarse',
  forgotPassword: '¿Olvidaste tu contraseña?',
  signInWithPasskey: 'Entrar con huella, cara o PIN',
  recoverAccess: 'Recuperar el acceso',
  codesReminder:
    'Por si un día olvidas la contraseña, puedes imprimir códigos para volver a entrar.',
  printCodes: 'Imprimir códigos',
  passwordLinkMade: (date: string) =>
    `Quien administra el foro dio un enlace para poner otra contraseña en tu cuenta (${date}).`,
  see: 'Ver',
  sessionEnded: 'Tu sesión ha terminado.',
  sessionEndedWriting: 'Tu sesión ha terminado. Lo que escribías se ha guardado.',
  sessionLost:
    'Tu sesión ha terminado. Inicia sesión otra vez: lo que estabas escribiendo sigue donde lo dejaste.',
  signedIn: 'Has iniciado sesión.',
  backTo: (title: string) => `Volver a ${title}`,
  accountCreated: 'Cuenta creada',
  signInToNewAccount: 'Ya tienes cuenta. Escribe tu contraseña para iniciar sesión.',
  signInWithNewPassword: 'Tu contraseña nueva se ha guardado. Inicia sesión con ella.',
  signedOut: 'Has cerrado sesión.',
  signedOutHere:
    'Has cerrado sesión en este navegador, pero el servidor no responde y todavía no lo sabe. Deja esta página abierta hasta que vuelva la conexión.',
  markAllRead: 'Marcar todo como leído',
  noAccountYet: '¿Aún no tienes cuenta?',

  passwordLinkInvalid:
    'A este enlace le falta una parte. Ábrelo otra vez desde el mensaje en el que lo recibiste o pide uno nuevo.',
  showPassword: 'Mostrar',
  hidePassword: 'Ocultar',
  commonPassword: 'Es una de las contraseñas más usadas: se adivina enseguida.',
  ownPassword: 'Contiene tu nombre o tu correo: se adivina fácilmente.',
  useAnyway: 'Elige otra o vuelve a enviar el formulario para usarla de todos modos.',
  repeatPassword: 'Repite la contraseña',
  passwordsDiffer: 'Las contraseñas no coinciden.',
  savePassword: 'Guardar la contraseña',
  passwordEndsSessions:
    'Al guardarla se cerrarán todas tus sesiones. Después, inicia sesión con la nueva.',

  name: 'Nombre',
  nameHint: 'Lo verá todo el mundo junto a lo que escribas.',
  emailHint: 'No se muestra a nadie: solo sirve para iniciar sesión y recuperar el acceso.',
  signUp: 'Registrarse',
  registrationClosed:
    'Ahora no se pueden crear cuentas en este foro. Para leerlo no hace falta ninguna.',
  invitationNeeded:
    'Para crear una cuenta hace falta una invitación: abre el enlace que te haya pasado alguien de dentro.',
  invited: 'Vienes con una invitación.',
  invitedToAsk:
    'Vienes con una invitación. Si es de alguien del equipo de moderación, entras en cuanto crees la cuenta; si no, antes te darán paso.',
  invitationUnused:
    'Ya tienes una cuenta, así que la invitación queda sin usar: puedes pasársela a otra persona.',
  withoutInvitation: 'Si lo envías otra vez, irá sin la invitación.',
  onRequest:
    'Cualquiera puede pedir una cuenta. Antes de que entres, alguien del equipo de moderación te dará paso.',
  acceptRules: 'Al crear la cuenta aceptas las ',
  rules: 'normas (se abren aparte)',
  tryAgain: 'Volver a probar',
  haveAccount: '¿Ya tienes cuenta? Inicia sesión',

  errorTitle: 'Error',
  wrongData: 'Los datos suministrados no son correctos, verifica tus datos y vuelve a intentar',
  accept: 'Aceptar',

  channelTitle: 'Título',
  channelDescription: 'Descripción',
  coverImage: 'Imagen de portada',
  coverAlt: 'Texto alternativo de la portada',
  coverAltHint: 'Opcional: qué se ve en la portada, para quien no pueda verla.',
  coverHint: 'Resolución recomendada: 1000x400px (Máximo 1MB)',
  coverChoose: 'Elige una imagen',
  coverDragOrPaste: ', arrástrala hasta aquí o pégala',
  coverDrop: 'Suelta la imagen para subirla',
  coverChange: 'Cambiar imagen',
  tiles: 'Usar un azulejo',
  tilesHint: 'Si no tienes una imagen a mano. Cada vez sale uno distinto.',
  tilesFailed: 'No se pudo dibujar el azulejo. Comprueba tu conexión y vuelve a intentarlo.',
  coverUploaded: 'Portada subida',
  channelCreated: 'Canal creado',
  openChannel: 'Ver el canal',
  missingTitle: 'Escribe un título.',
  missingDescription: 'Escribe una descripción.',
  coverNotReady: 'La portada aún se está subiendo: espera a que termine.',
  missingCover: 'Sube una imagen de portada.',
  incompleteChannel: '⚠ debes completar todos los campos y subir una imagen de portada',

  upload: 'Subida de la imagen',
  uploadPreparing: 'Preparando la imagen',
  uploadRunning: 'Subiendo la imagen',
  uploadPaused: 'Subida en pausa',
  uploadFinishing: 'Guardando la imagen',
  willBeStill: 'Se publicará sin movimiento.',
  pause: 'Pausar',
  resume: 'Reanudar',
  cancel: 'Cancelar',
  uploadOffline: 'Sin conexión: la subida seguirá sola cuando vuelva.',
  uploadQueued: 'El servidor está ocupado: la subida seguirá sola en unos segundos.',

  pendingModeration: (count: number) =>
    count === 1 ? '1 pendiente' : `${numberText(count)} pendientes`,
  publicPage: 'Ver mi página pública',
  changeImage: 'Cambiar foto de perfil',
  imageChanged: 'Foto de perfil actualizada',
  removeImage: 'Quitar la foto',
  imageRemoved: 'Foto de perfil quitada',
  undo: 'Deshacer',
  imageFailed: 'No se pudo cambiar la foto de perfil.',
  channelsCreated: 'Canales creados',
  channelsCreatedFailed: 'No se pudieron cargar las estadísticas',

  writeComment: 'Escribe un comentario',
  commentPlaceholder: 'click aquí para empezar a escribir',
  sendComment: 'Comentar',
  commentSent: 'Comentario enviado',
  held: 'Pendiente de revisión. Se publicará cuando lo aprueben.',
  commentFailed: 'No se pudo enviar el comentario',
  queuedComments: 'Comentarios pendientes de envío',
  queued: 'Pendiente de envío: se enviará automáticamente en cuanto vuelva la conexión',
  queuedCount: (count: number) => {
    if (count === 0) return 'Ya no hay comentarios pendientes de envío';
    return count === 1
      ? '1 comentario pendiente de envío'
      : `${count} comentarios pendientes de envío`;
  },
  queuedTooLong:
    'Lleva casi un mes sin enviarse. Comprueba que no esté ya publicado y escríbelo de nuevo.',
  sendNow: 'Enviar ahora',
  discard: 'Descartar',
  discardChanges: '¿Descartar los cambios?',
  keepEditing: 'Seguir editando',
  save: 'Guardar',
  unsentText: 'Lo que escribías aquí',
  unsentTextHint: 'Ya no se puede publicar en este canal. Copia tu texto si quieres conservarlo.',
} as const;
