/** Texts of the settings page. */
export const settingsTexts = {
  delete: 'Eliminar la cuenta',
  anonymous: 'Dejar mis comentarios sin mi nombre',
  erase: 'Borrar todo lo que escribí',

  pending: (date: string) => `Tu cuenta se eliminará el ${date}.`,
  pendingNotice: 'Ver el justificante o cancelar',
} as const;
