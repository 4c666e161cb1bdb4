/** Begins the fragment of the log's address that asks for the outcome of a report. */
export const receiptPrefix = 'aviso-';

/** Texts of the public log. */
export const logTexts = {
  intro:
    'Cada decisión de quienes moderan este foro, sin nombres ni textos. Las más nuevas, primero.',
  empty: 'Aún no se ha decidido nada.',
  failed: 'No se pudo cargar el registro',
  undone: 'deshecha',
  more: 'Siguientes',
} as const;
