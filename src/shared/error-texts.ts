/** Texts of errors that pages also show without a failed request. Browsers do not load the schemas of errors.ts. */
export const errorTexts = {
  channelClosed: 'Este canal está cerrado: se puede leer, pero no comentar.',
  registrationClosed: 'Ahora no se pueden crear cuentas en este foro.',
  /** Spelt as in the specification. */
  wrongCredentials:
    'Los datos suministrados no son correctos, verifica tus datos y vuelve a intentar',
} as const;
