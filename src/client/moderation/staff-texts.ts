/** Texts of what moderators do on public pages, besides decisions. */
export const staffTexts = {
  undo: 'Deshacer',
  undone: 'Deshecho',
  notUndone: 'No se pudo deshacer.',

  versions: 'Versiones anteriores',
  versionsFailed: 'No se pudieron cargar las versiones',
  until: 'hasta',
  now: 'Ahora',
  close: 'Cerrar',
} as const;
