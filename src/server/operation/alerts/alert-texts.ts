export type AlertKind =
  | 'backup'
  | 'disk'
  | 'database'
  | 'images'
  | 'mail'
  | 'addresses'
  | 'push'
  | 'cases'
  | 'errors';

/** Titles of alerts, and of the messages that report their end. */
export const alertTitles: Record<AlertKind, { failure: string; success: string }> = {
  backup: {
    failure: 'La copia de seguridad falla',
    success: 'La copia de seguridad vuelve a estar al día',
  },
  disk: { failure: 'El disco está casi lleno', success: 'El disco vuelve a tener sitio' },
  database: {
    failure: 'La base de datos no responde',
    success: 'La base de datos vuelve a responder',
  },
  images: { failure: 'Las imágenes fallan', success: 'Las imágenes vuelven a funcionar' },
  mail: { failure: 'El correo no sale', success: 'El correo vuelve a salir' },
  addresses: {
    failure: 'Se rechazan varias direcciones de correo',
    success: 'No se rechazan más direcciones de correo',
  },
  push: {
    failure: 'Los servicios de avisos rechazan los mensajes',
    success: 'Los servicios de avisos ya no rechazan mensajes',
  },
  cases: {
    failure: 'La moderación espera desde hace un día',
    success: 'Nada espera a la moderación desde hace un día',
  },
  errors: {
    failure: 'Hay errores en el registro',
    success: 'Ya no hay errores nuevos en el registro',
  },
};
