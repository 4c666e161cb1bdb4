/** Texts for moderators in the menu of a person. */
export const staffTexts = {
  link: 'Copiar enlace para contraseña nueva',
  noLink: 'No se pudo crear el enlace.',
  give: {
    member: 'Quitar el papel de moderación',
    moderator: 'Dar el papel de moderación',
    admin: 'Dar el papel de administración',
  },
  roleSaved: 'Papel cambiado',
  roleNotSaved: 'No se pudo cambiar el papel.',
} as const;
