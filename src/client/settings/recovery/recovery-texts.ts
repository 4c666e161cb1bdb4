/** Texts about recovery codes, passkeys and the page to recover the access. */
export const recoveryTexts = {
  replaceCodes: 'Crear códigos nuevos',

  addPasskey: 'Añadir una llave de acceso',
} as const;
