export const binTexts = {
  title: 'Papelera',
  empty: 'No has eliminado nada que se pueda recuperar.',
  failed: 'No se pudo cargar la papelera',
  more: 'Ver más',
  channel: 'Canal',
  commentIn: (channel: string) => `Comentario en ${channel}`,
  image: (number: number) => `Imagen ${number} del comentario`,
  until: (date: string) => `Se puede recuperar hasta el ${date}`,
  restore: 'Recuperar',
  restoreItem: (text: string) => `Recuperar: ${text.slice(0, 80)}`,
} as const;
