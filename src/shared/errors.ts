import Type, { type Static } from 'typebox';
import { errorTexts } from './error-texts.ts';
import { unsupported } from './file-kind.ts';
import { fileKindsText } from './files.ts';
import { limits } from './limits.ts';
import { Decision } from './moderation.ts';
import { Instant, Nullable } from './schema.ts';

/** RFC 9457 problem details. `title`, `detail` and the messages are Spanish, for people. */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'Estable, en snake_case.' }),
    detail: Type.String(),
    instance: Type.String({
      description: 'Identificador de la petición, como en el registro y en X-Request-Id.',
    }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
    ),
    decision: Type.Optional(Decision),
    /** End of the restriction behind `silenced` or `suspended`; null if it has none. */
    until: Type.Optional(Nullable(Instant)),
  },
  { $id: 'Problem' },
);
export type Problem = Static<typeof Problem>;

export const problems = {
  invalid_request: {
    status: 400,
    title: 'Petición no válida',
    detail: 'La petición no se entiende. Revisa los datos y vuelve a intentarlo.',
  },
  invalid_json: {
    status: 400,
    title: 'JSON no válido',
    detail: 'El cuerpo de la petición no es JSON válido. Corrígelo y vuelve a enviarla.',
  },
  invalid_fields: {
    status: 400,
    title: 'Datos no válidos',
    detail: 'Algunos datos no son válidos. Corrígelos y vuelve a intentarlo.',
  },
  invalid_cursor: {
    status: 400,
    title: 'Página no válida',
    detail: 'Ese punto de la lista no existe. Vuelve al principio.',
  },
  invalid_upload: {
    status: 400,
    title: 'Subida no válida',
    detail: 'La petición de subida no es válida. Vuelve a elegir la imagen.',
  },
  weak_password: {
    status: 400,
    title: 'Contraseña fácil de adivinar',
    detail: 'Esa contraseña se adivina fácilmente. Elige otra o envíala sin pedir el aviso.',
  },
  not_signed_in: {
    status: 401,
    title: 'Sin sesión',
    detail: 'Tu sesión no existe o ha terminado. Inicia sesión y vuelve a intentarlo.',
  },
  wrong_credentials: {
    status: 401,
    title: 'Datos incorrectos',
    detail: errorTexts.wrongCredentials,
  },
  not_remembered: {
    status: 401,
    title: 'Sesión no guardada',
    detail: 'Este navegador no tiene ninguna sesión guardada. Inicia sesión.',
  },
  not_yours: {
    status: 403,
    title: 'No permitido',
    detail: 'Solo puedes hacer esto con tu propia cuenta.',
  },
  other_origin: {
    status: 403,
    title: 'Origen no permitido',
    detail: 'Esto solo se puede hacer desde las páginas de este foro. Ábrelo e inicia sesión.',
  },
  wrong_password: {
    status: 403,
    title: 'Contraseña incorrecta',
    detail: 'Esa no es tu contraseña actual. Escríbela otra vez.',
  },
  account_disabled: {
    status: 403,
    title: 'Cuenta desactivada',
    detail:
      'Esta cuenta está desactivada. Si crees que es un error, escribe a quien administra el foro.',
  },
  registration_closed: {
    status: 403,
    title: 'Registro cerrado',
    detail: errorTexts.registrationClosed,
  },
  invitation_required: {
    status: 403,
    title: 'Hace falta una invitación',
    detail:
      'Para crear una cuenta hace falta una invitación válida. Esta falta, ya se usó, ha caducado o se retiró: pide otra a quien te invitó.',
  },
  awaiting_approval: {
    status: 403,
    title: 'Tu cuenta está pendiente de aprobación',
    detail:
      'Tu cuenta está creada y espera a que alguien del equipo de moderación la apruebe. Vuelve a intentarlo más tarde: no hace falta que la crees otra vez.',
  },
  refused: {
    status: 403,
    title: 'Tu solicitud de cuenta no se ha aceptado',
    detail: `El equipo de moderación no ha aceptado tu solicitud de cuenta. Se borrará a los ${limits.trashDays} días.`,
  },
  too_many_pending: {
    status: 403,
    title: 'Demasiado por revisar',
    detail:
      'Tienes muchas cosas pendientes de revisión. Espera a que las revisen, o retira alguna, y vuelve a enviarlo.',
  },
  not_approved: {
    status: 403,
    title: 'Falta la primera aprobación',
    detail: 'Podrás hacer esto cuando alguien del equipo apruebe lo primero que escribas.',
  },
  silenced: {
    status: 403,
    title: 'No puedes escribir por ahora',
    detail:
      'El equipo de moderación ha decidido que no puedas escribir. En Ajustes está el porqué.',
  },
  suspended: {
    status: 403,
    title: 'Cuenta suspendida',
    detail: 'El equipo de moderación ha suspendido tu cuenta. En Ajustes está el porqué.',
  },
  staff_only: {
    status: 403,
    title: 'No te corresponde decidirlo',
    detail: 'Esto lo decide otra persona del equipo de moderación.',
  },
  already_reminded: {
    status: 409,
    title: 'Ya se ha recordado',
    detail: 'Un comunicado se recuerda una sola vez.',
  },
  community_is_open: {
    status: 409,
    title: 'Aquí lee cualquiera',
    detail:
      'Un grupo solo se trae a una comunidad que leen sus miembros, porque quienes escribieron en él no saben que se trae. Elige antes «Solo sus miembros» en Ajustes de la comunidad.',
  },
  unusable_chat: {
    status: 400,
    title: 'Ese chat no se puede traer así',
    detail: 'El archivo no se entiende. Exporta el chat otra vez desde WhatsApp y súbelo.',
  },
  import_running: {
    status: 409,
    title: 'Ya se está trayendo un chat',
    detail: 'Se trae un chat cada vez. Espera a que acabe ese, o cancélalo, y vuelve a intentarlo.',
  },
  import_not_found: {
    status: 404,
    title: 'Chat no encontrado',
    detail: `No hay ningún chat subido o ya no está: se borra al acabar o a las ${limits.importHours} horas. Súbelo otra vez.`,
  },
  others_wrote: {
    status: 409,
    title: 'Ya ha escrito alguien',
    detail:
      'Alguien ha escrito ya en ese canal o ha recuperado lo suyo, así que no se puede deshacer. Puedes cerrarlo, o pedir a quien lleva el servidor que lo borre.',
  },
  import_closed: {
    status: 409,
    title: 'El canal ya está abierto',
    detail:
      'Lo nuevo de un chat se añade mientras en su canal no escribe nadie. Tráelo como otro canal.',
  },
  imported_words_visible: {
    status: 409,
    title: 'Hay palabras de quien no tiene cuenta',
    detail:
      'Al abrir la comunidad, cualquiera leería lo que escribieron personas que no tienen cuenta y no lo saben. Confírmalo, o quita antes los canales que se trajeron.',
  },
  words_taken: {
    status: 409,
    title: 'Esos mensajes ya no se pueden dar',
    detail:
      'Una cuenta ya los ha recuperado, quien los escribió ha pedido que se retiren, o están todos ocultos. Vuelve a cargar la lista.',
  },
  claim_not_found: {
    status: 404,
    title: 'Ya no se pueden devolver',
    detail: `Esos mensajes ya se devolvieron, o pasaron los ${limits.trashDays} días en que se podía.`,
  },
  too_early: {
    status: 409,
    title: 'Ahora no',
    detail:
      'Se puede recordar desde un día después de haber avisado, hasta el último día del comunicado.',
  },
  recovery_failed: {
    status: 400,
    title: 'No se pudo recuperar el acceso',
    detail:
      'El código no es de ese correo o ya no sirve. Revísalos o pide un enlace a quien administra el foro. Si acabas de cambiar la contraseña, inicia sesión con ella.',
  },
  passkeys_unavailable: {
    status: 403,
    title: 'Sin llaves de acceso',
    detail:
      'Aquí no se pueden usar llaves de acceso, porque el foro no tiene una dirección segura (https). Usa tu contraseña.',
  },
  passkey_failed: {
    status: 400,
    title: 'Llave de acceso no válida',
    detail:
      'Esa llave de acceso no sirve aquí o ha pasado demasiado tiempo. Vuelve a intentarlo o usa tu contraseña.',
  },
  passkey_limit: {
    status: 409,
    title: 'Demasiadas llaves de acceso',
    detail: `Ya tienes ${limits.passkeysPerAccount} llaves de acceso. Quita una que no uses y vuelve a intentarlo.`,
  },
  passkey_not_found: {
    status: 404,
    title: 'Llave de acceso no encontrada',
    detail: 'Esa llave de acceso ya no está en tu cuenta. Recarga la página para ver las demás.',
  },
  password_link_dead: {
    status: 403,
    title: 'Enlace no válido',
    detail:
      'Este enlace ya se usó, ha caducado o no está completo. Si acabas de cambiar la contraseña, prueba a iniciar sesión con ella; si no, pide un enlace nuevo.',
  },
  confirmation_dead: {
    status: 403,
    title: 'Enlace no válido',
    detail:
      'Este enlace ya se usó, ha caducado, no está completo o es de otra dirección. En Ajustes puedes ver si tu correo está confirmado y pedir otro enlace.',
  },
  mail_unavailable: {
    status: 403,
    title: 'Sin correo',
    detail: 'Este foro no envía correo.',
  },
  push_unavailable: {
    status: 403,
    title: 'Sin avisos en el dispositivo',
    detail:
      'Este foro no puede enviar avisos a los dispositivos, porque no tiene una dirección segura (https).',
  },
  browser_not_remembered: {
    status: 403,
    title: 'Este navegador no mantiene la sesión',
    detail:
      'Los avisos se activan donde se mantiene la sesión. Ciérrala e iníciala otra vez con «Recordarme en este dispositivo» marcado.',
  },
  not_found: {
    status: 404,
    title: 'No encontrado',
    detail: 'Aquí no hay nada. Revisa la dirección.',
  },
  channel_not_found: {
    status: 404,
    title: 'Canal no encontrado',
    detail: 'Ese canal no existe o ya no está. Vuelve al inicio para ver los demás.',
  },
  comment_not_found: {
    status: 404,
    title: 'Comentario no encontrado',
    detail: 'Ese comentario no existe o ya no está. Recarga la página para ver los demás.',
  },
  user_not_found: {
    status: 404,
    title: 'Persona no encontrada',
    detail: 'Esa persona no existe o ya no está aquí. Revisa la dirección.',
  },
  decision_not_found: {
    status: 404,
    title: 'Decisión no encontrada',
    detail: 'Esa decisión no existe o ya no está. Recarga la página.',
  },
  appeal_not_found: {
    status: 404,
    title: 'Recurso no encontrado',
    detail: 'Ese recurso no existe o ya no está. Recarga la página.',
  },
  pending_not_found: {
    status: 404,
    title: 'No está pendiente',
    detail: 'Ya no está pendiente de revisión. Recarga la página para ver cómo está ahora.',
  },
  invitation_not_found: {
    status: 404,
    title: 'Invitación no encontrada',
    detail: 'Esa invitación no existe o no es tuya. Recarga la página.',
  },
  report_not_found: {
    status: 404,
    title: 'Denuncia no encontrada',
    detail: `Esa denuncia no existe, o hace más de ${limits.trashDays} días que se decidió.`,
  },
  session_not_found: {
    status: 404,
    title: 'Sesión no encontrada',
    detail: 'Esa sesión ya no está abierta. Recarga la página para ver las demás.',
  },
  file_not_found: {
    status: 404,
    title: 'Imagen no encontrada',
    detail: 'Esa imagen no existe o ya no está. Revisa la dirección.',
  },
  upload_not_found: {
    status: 404,
    title: 'Subida no encontrada',
    detail: 'Esa subida ya no existe. Vuelve a elegir la imagen.',
  },
  email_taken: {
    status: 409,
    title: 'Correo ya registrado',
    detail: 'Ya hay una cuenta con ese correo electrónico. Inicia sesión o usa otro.',
  },
  name_changed_recently: {
    status: 409,
    title: 'Nombre recién cambiado',
    detail: 'El nombre se puede cambiar una vez al día. Vuelve a intentarlo mañana.',
  },
  last_admin: {
    status: 409,
    title: 'No queda nadie más',
    detail: 'Es la única cuenta que administra el foro. Antes, haz que otra también lo administre.',
  },
  already_decided: {
    status: 409,
    title: 'Ya está decidido',
    detail: 'Ya estaba decidido.',
  },
  edit_expired: {
    status: 409,
    title: 'Fuera de plazo',
    detail: `El comentario solo se podía cambiar durante las primeras ${limits.editHours} horas. Puedes escribir uno nuevo.`,
  },
  event_not_found: {
    status: 404,
    title: 'Fecha no encontrada',
    detail: 'Esa fecha no existe. Recarga la página y vuelve a intentarlo.',
  },
  event_closed: {
    status: 409,
    title: 'Ya no se puede responder',
    detail: 'Esa fecha ya ha empezado, así que ya no se puede responder.',
  },
  poll_not_found: {
    status: 404,
    title: 'Encuesta no encontrada',
    detail: 'Esa encuesta no existe. Recarga la página y vuelve a intentarlo.',
  },
  poll_closed: {
    status: 409,
    title: 'La encuesta está cerrada',
    detail: 'La encuesta ya está cerrada, así que ya no se puede votar.',
  },
  already_voted: {
    status: 409,
    title: 'Ya has votado',
    detail: 'Ya has votado, y un voto secreto no se puede cambiar: no se guarda cuál es.',
  },
  vote_first: {
    status: 403,
    title: 'Antes, vota',
    detail: 'Quién ha votado qué se ve después de votar, o cuando la encuesta se cierra.',
  },
  capacity_taken: {
    status: 409,
    title: 'Ya va más gente',
    detail: 'Ya va más gente de la que cabría. Pon un número mayor.',
  },
  channel_closed: {
    status: 409,
    title: 'Canal cerrado',
    detail: errorTexts.channelClosed,
  },
  too_many_pinned: {
    status: 409,
    title: 'Demasiados canales fijados',
    detail: `Ya hay ${limits.pinnedChannels} canales fijados. Quita antes uno.`,
  },
  channel_in_use: {
    status: 409,
    title: 'Canal con comentarios',
    detail: 'En este canal ya han escrito otras personas: no se puede eliminar, pero sí cerrar.',
  },
  not_restorable: {
    status: 409,
    title: 'No se puede recuperar',
    detail:
      'Ya pasó el plazo para recuperarlo o ya no está en la papelera. Si lo quieres de nuevo, créalo otra vez.',
  },
  gone: {
    status: 410,
    title: 'Ya no está',
    detail: 'Ya se envió una vez y se eliminó después. Si lo quieres de nuevo, escríbelo otra vez.',
  },
  edit_conflict: {
    status: 412,
    title: 'Cambió mientras tanto',
    detail: 'Ha cambiado desde que lo abriste. Mira cómo está ahora y vuelve a guardar.',
  },
  revision_required: {
    status: 428,
    title: 'Falta la revisión',
    detail: 'Indica con If-Match la revisión que quieres cambiar.',
  },
  upload_conflict: {
    status: 409,
    title: 'Subida en otro punto',
    detail: 'La subida va por otro punto. Vuelve a intentarlo.',
  },
  too_large: {
    status: 413,
    title: 'Demasiado grande',
    detail: 'Lo que envías es demasiado grande. Redúcelo y vuelve a intentarlo.',
  },
  quota_exceeded: {
    status: 413,
    title: 'Sin espacio',
    detail:
      'Tus imágenes y archivos ya ocupan todo el espacio que tienes. Si necesitas más, escribe a quien administra el foro.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Fragmento inexistente',
    detail: 'La imagen no tiene ese fragmento. Pídela entera.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Tipo no admitido',
    detail: 'Envía los datos como application/json.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Clave ya usada',
    detail: 'Esa clave ya se usó para enviar otra cosa. Usa una nueva.',
  },
  not_an_image: {
    status: 422,
    title: 'No es una imagen',
    detail: unsupported.other,
  },
  unsupported_file: {
    status: 422,
    title: 'Ese archivo no se puede subir',
    detail: `Ese archivo no se puede subir, o no es lo que dice su nombre. Se admiten ${fileKindsText}.`,
  },
  image_too_large: {
    status: 422,
    title: 'Imagen demasiado grande',
    detail: `La imagen tiene demasiados píxeles: el máximo son ${Math.floor(limits.imagePixels / 1e6)} millones. Redúcela y vuelve a subirla.`,
  },
  too_many_requests: {
    status: 429,
    title: 'Demasiadas peticiones',
    detail: 'Vas demasiado deprisa. Espera un momento y vuelve a intentarlo.',
  },
  upload_locked: {
    status: 423,
    title: 'Subida en marcha',
    detail: 'Otra petición sigue con esta subida. Vuelve a intentarlo en un momento.',
  },
  internal_error: {
    status: 500,
    title: 'Error del servidor',
    detail: 'Algo ha fallado aquí. No es culpa tuya: vuelve a intentarlo en un momento.',
  },
  busy: {
    status: 503,
    title: 'Servidor ocupado',
    detail: 'Se están subiendo muchas imágenes a la vez. Vuelve a intentarlo en unos segundos.',
  },
  unavailable: {
    status: 503,
    title: 'No disponible',
    detail: 'El servicio no puede responder ahora. Vuelve a intentarlo en un momento.',
  },
  storage_full: {
    status: 507,
    title: 'Sin espacio',
    detail:
      'El servidor no tiene espacio para guardar nada más. Se puede seguir leyendo; vuelve a intentarlo más tarde.',
  },
} as const satisfies Record<string, { status: number; title: string; detail: string }>;

export type ProblemCode = keyof typeof problems;
