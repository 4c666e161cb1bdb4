/** Texts of what moderators do on public pages, besides decisions. */
export const staffTexts = {
  hiddenPerson: (name: string) => `Todo lo de ${name} está oculto. Esto solo lo ve quien modera.`,
  undo: 'Deshacer',
  undone: 'Deshecho',
  notUndone: 'No se pudo deshacer.',

  versions: 'Versiones anteriores',
  versionsFailed: 'No se pudieron cargar las versiones',
  until: 'hasta',
  now: 'Ahora',
  close: 'Cerrar',
} as const;
