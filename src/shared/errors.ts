import Type, { type Static } from 'typebox';

/** RFC 9457 problem details. `title`, `detail` and the messages are Spanish, for people. */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'Stable, snake_case.' }),
    detail: Type.String(),
    instance: Type.String({ description: 'Id of the request, as in the log and X-Request-Id.' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() })),
    ),
  },
  { $id: 'Problem' },
);
export type Problem = Static<typeof Problem>;

/** The errors of the API by code. */
export const problems = {
  invalid_request: {
    status: 400,
    title: 'Petición no válida',
    detail: 'La petición no se entiende. Revisa los datos y vuelve a intentarlo.',
  },
  invalid_json: {
    status: 400,
    title: 'JSON no válido',
    detail: 'El cuerpo de la petición no es JSON válido.',
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
  not_signed_in: {
    status: 401,
    title: 'Sin sesión',
    detail: 'Tu sesión no existe o ha terminado. Inicia sesión y vuelve a intentarlo.',
  },
  wrong_credentials: {
    status: 401,
    title: 'Datos incorrectos',
    detail: 'Los datos suministrados no son correctos, verifica tus datos y vuelve a intentar',
  },
  not_yours: {
    status: 403,
    title: 'No permitido',
    detail: 'Solo puedes hacer esto con tu propia cuenta.',
  },
  account_disabled: {
    status: 403,
    title: 'Cuenta desactivada',
    detail:
      'Esta cuenta está desactivada. Si crees que es un error, escribe a quien lleva el foro.',
  },
  password_link_dead: {
    status: 403,
    title: 'Enlace sin validez',
    detail:
      'Este enlace ya se usó, ha caducado o no está completo. Si acabas de cambiar la contraseña, prueba a iniciar sesión con ella; si no, pide un enlace nuevo.',
  },
  not_found: {
    status: 404,
    title: 'No encontrado',
    detail: 'Aquí no hay nada. Revisa la dirección.',
  },
  channel_not_found: {
    status: 404,
    title: 'Canal no encontrado',
    detail: 'Ese canal no existe.',
  },
  file_not_found: {
    status: 404,
    title: 'Imagen no encontrada',
    detail: 'Esa imagen no existe.',
  },
  upload_not_found: {
    status: 404,
    title: 'Subida no encontrada',
    detail: 'Esa subida ya no existe. Vuelve a elegir la imagen.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Método no permitido',
    detail: 'Esta dirección no admite ese método.',
  },
  email_taken: {
    status: 409,
    title: 'Correo ya registrado',
    detail: 'Ya hay una cuenta con ese correo electrónico. Inicia sesión o usa otro.',
  },
  upload_conflict: {
    status: 409,
    title: 'Subida en otro punto',
    detail: 'La subida va por otro punto. Vuelve a intentarlo.',
  },
  too_large: {
    status: 413,
    title: 'Demasiado grande',
    detail: 'Lo enviado es demasiado grande.',
  },
  quota_exceeded: {
    status: 413,
    title: 'Sin espacio',
    detail: 'Tus imágenes ya ocupan todo el espacio que tienes. No cabe otra.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Trozo inexistente',
    detail: 'La imagen no tiene ese trozo.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Tipo no admitido',
    detail: 'Envía los datos como application/json.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Clave ya usada',
    detail: 'Esa clave se usó ya para enviar otra cosa. Usa una nueva.',
  },
  not_an_image: {
    status: 422,
    title: 'No es una imagen',
    detail: 'El archivo no es una imagen JPEG, PNG, WebP, GIF o AVIF completa. Elige otra imagen.',
  },
  image_too_large: {
    status: 422,
    title: 'Imagen demasiado grande',
    detail:
      'La imagen tiene demasiados píxeles; como mucho, 24 millones. Redúcela y vuelve a subirla.',
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
    title: 'Hay cola',
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
      'El servidor no tiene sitio para guardar nada más. Se puede seguir leyendo; vuelve a intentarlo más tarde.',
  },
} as const satisfies Record<string, { status: number; title: string; detail: string }>;

export type ProblemCode = keyof typeof problems;
