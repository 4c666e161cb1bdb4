/** Texts about reporting and moderating what is on public pages. */
export const subjectTexts = {
  report: 'Denunciar',
  versions: 'Versiones anteriores',
  staff: 'Moderación',
  discard: '¿Descartar lo que has escrito?',
  copyTyped: 'Copiar lo que escribiste',
  copied: 'Copiado',
} as const;
