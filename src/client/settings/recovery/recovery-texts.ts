/** Texts about recovery codes, passkeys and the page to recover the access. */
export const recoveryTexts = {
  codes: 'Códigos de recuperación',
  codesIntro:
    'Si olvidas la contraseña, con uno de estos códigos pones una nueva sin esperar a nadie. Con cada contraseña nueva dejan de valer todos. Imprímelos y guárdalos donde solo los veas tú.',
  codesFailed: 'No se pudieron cargar los códigos de recuperación',
  noCodes: 'Ahora no tienes códigos.',
  codesLeft: (left: number, date: string) => {
    return left === 1
      ? `Te queda 1 código, creado el ${date}.`
      : `Te quedan ${left} códigos, creados el ${date}.`;
  },
  createCodes: 'Crear códigos',
  replaceCodes: 'Crear códigos nuevos',
  replaceHint: 'Los que tienes ahora dejarán de valer.',
  shownOnce:
    'Guárdalos ahora: no se volverán a mostrar. Da igual escribirlos con mayúsculas, minúsculas, espacios o guiones.',
  fileHead: (site: string, email: string) => `Códigos de recuperación de ${email} en ${site}`,
  fileHint: (address: string) =>
    `Uno cualquiera sirve para poner una contraseña nueva en ${address}; después no vale ninguno.`,
  fileName: 'codigos-de-recuperacion.txt',
  copy: 'Copiar',
  copied: 'Códigos copiados',
  notCopied: 'No se pudieron copiar. Selecciónalos y cópialos a mano, o descárgalos.',
  download: 'Descargar',
  print: 'Imprimir',
  saved: 'Ya los he guardado',

  passkeys: 'Claves de acceso',
  passkeysIntro:
    'Entra sin contraseña, con la huella, la cara o el PIN de tu dispositivo. La contraseña sigue valiendo.',
  passkeysFailed: 'No se pudieron cargar las claves de acceso',
  noPasskeys: 'Ahora no tienes ninguna.',
  passkeysNotHere: 'Este navegador no puede crear claves de acceso. Prueba con otro.',
  addPasskey: 'Añadir una clave de acceso',
  passkeyName: 'Nombre de la clave',
  passkeyNameHint: 'Para reconocerla: el dispositivo o el gestor donde se guarda.',
  passkeyAdded: (name: string) => `Clave de acceso añadida: ${name}`,
  passkeyCanceled: 'No se ha añadido ninguna clave. Puedes volver a intentarlo.',
  passkeyExists: 'Este dispositivo ya tiene una clave de acceso de tu cuenta.',
  passkeyAddedOn: 'Añadida el ',
  passkeyUsed: 'Último uso: ',
  passkeyUnused: 'Aún no se ha usado',
  removePasskey: 'Quitar',
  removePasskeyOf: (name: string) => `Quitar: ${name}`,
  passkeyRemoved: (name: string) =>
    `Clave de acceso quitada: ${name}. Las demás sesiones están cerradas. Bórrala también en el dispositivo donde está.`,
  passkeyNotRemoved: 'No se pudo quitar la clave de acceso.',
  passkeysLeft: 'Tus claves de acceso siguen valiendo',
  passkeysLeftHint: 'Abren tu cuenta sin contraseña. Quita las que no reconozcas.',

  recoverIntro: 'Hay dos formas de poner una contraseña nueva:',
  withCode:
    'Con uno de los códigos de recuperación que creaste en Ajustes: rellena este formulario.',
  withLink:
    'Si no tienes códigos, pide un enlace a quien lleva el foro. Vale 30 minutos y una sola vez.',
  code: 'Código de recuperación',
  codeHint: 'Por ejemplo, 7K3M-Q9XT-0ABC-DEFG. Da igual con mayúsculas, espacios o guiones.',
  newPassword: 'Contraseña nueva',
} as const;
