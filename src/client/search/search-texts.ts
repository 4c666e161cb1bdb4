export const searchTexts = {
  search: 'Buscar',
} as const;
