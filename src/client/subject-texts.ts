/** Texts about reporting and moderating what is on public pages. */
export const subjectTexts = {
  report: 'Denunciar',
  versions: 'Versiones anteriores',
  role: 'Cambiar el papel',
  link: 'Enlace para contraseña nueva',
  staff: 'Moderación',
} as const;
