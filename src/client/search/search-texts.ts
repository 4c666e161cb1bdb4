/** Texts of the search page. */
export const searchTexts = {
  search: 'Buscar',
} as const;
