/** Texts about reporting and moderating what is on public pages. */
export const subjectTexts = {
  report: 'Denunciar',
  discard: '¿Descartar lo que has escrito?',
} as const;
