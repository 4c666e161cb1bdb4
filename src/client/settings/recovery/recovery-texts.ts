/** Texts about recovery codes, passkeys and the page to recover the access. */
export const recoveryTexts = {
  codes: 'Códigos de recuperación',
  codesIntro:
    'Si olvidas la contraseña, con uno de estos códigos puedes poner otra sin depender de nadie. Cada vez que cambias la contraseña, dejan de servir todos. Imprímelos y guárdalos donde solo los veas tú.',
  noCodes: 'Todavía no tienes códigos.',
  codesLeft: (left: number, date: string) => {
    return left === 1
      ? `Te queda 1 código, creado el ${date}.`
      : `Te quedan ${left} códigos, creados el ${date}.`;
  },
  createCodes: 'Crear códigos',
  replaceCodes: 'Crear códigos nuevos',
  replaceHint: 'Los que tienes ahora dejarán de servir.',
  unseen:
    'Tus códigos de recuperación han cambiado y no llegaste a ver los nuevos. Crea otros para tener unos que sirvan.',
  shownOnce:
    'Guárdalos ahora: no se volverán a mostrar. Al escribirlos, las mayúsculas, los espacios y los guiones dan igual.',
  fileHead: (site: string, email: string) => `Códigos de recuperación de ${email} en ${site}`,
  fileHint: (address: string) =>
    `Con cualquiera de ellos puedes poner una contraseña nueva en ${address}. Después ya no sirve ninguno.`,
  fileName: 'codigos-de-recuperacion.txt',
  copy: 'Copiar',
  download: 'Descargar',
  print: 'Imprimir',
  saved: 'Ya los he guardado',

  passkeys: 'Llaves de acceso',
  passkeysIntro:
    'Inicia sesión sin contraseña, con la huella, la cara o el PIN de tu dispositivo. También puedes seguir usando la contraseña.',
  noPasskeys: 'Todavía no tienes ninguna.',
  passkeysNotHere: 'Este navegador no puede crear llaves de acceso. Prueba con otro.',
  addPasskey: 'Añadir una llave de acceso',
  passkeyName: 'Nombre de la llave',
  passkeyNameHint:
    'Para reconocerla: por ejemplo, el dispositivo o el gestor de contraseñas donde la guardas.',
  passkeyAdded: (name: string) => `Llave de acceso añadida: ${name}`,
  passkeyCanceled: 'No se ha añadido ninguna llave. Puedes volver a intentarlo.',
  passkeyExists: 'Este dispositivo ya tiene una llave de acceso de tu cuenta.',
  passkeyAddedOn: 'Añadida el ',
  passkeyUsed: 'Último uso: ',
  passkeyUnused: 'Aún no se ha usado',
  removePasskey: 'Quitar',
  removePasskeyOf: (name: string) => `Quitar: ${name}`,
  passkeyRemoved: (name: string) =>
    `Llave de acceso quitada: ${name}. Se han cerrado las demás sesiones. Bórrala también del dispositivo donde la guardaste.`,
  passkeyNotRemoved: 'No se pudo quitar la llave de acceso.',
  passkeysLeft: 'Tus llaves de acceso siguen activas',
  passkeysLeftHint: 'Permiten entrar en tu cuenta sin contraseña. Quita las que no reconozcas.',

  recoverIntro: 'Hay dos formas de poner una contraseña nueva:',
  withCode:
    'Con uno de los códigos de recuperación que creaste en Ajustes: rellena este formulario.',
  withLink:
    'Si no tienes códigos, pide un enlace a quien administra el foro. El enlace caduca a los 30 minutos y solo sirve una vez.',
  code: 'Código de recuperación',
  codeHint:
    'Por ejemplo, 7K3M-Q9XT-0ABC-DEFG. Las mayúsculas, los espacios y los guiones dan igual.',
  newPassword: 'Contraseña nueva',
} as const;
