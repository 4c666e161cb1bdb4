/**
 * Texts of errors that pages also show without a failed request. Not in errors.ts, since browsers load no schemas.
 */
export const errorTexts = {
  channelClosed: 'Este canal está cerrado: se puede leer, pero no comentar.',
  registrationClosed: 'Ahora no se pueden crear cuentas en este foro.',
  /** Spelt as in the specification. */
  wrongCredentials:
    'Los datos suministrados no son correctos, verifica tus datos y vuelve a intentar',
} as const;
