/** Names the kind of a file in a word, from its media type. */
export function kindText(type: string): string {
  return kinds.find(([part]) => type.includes(part))?.[1] ?? 'Texto';
}

export const isSound = (type: string) => type.startsWith('audio/');

const kinds = [
  ['audio/', 'Sonido'],
  ['/pdf', 'PDF'],
  ['/csv', 'CSV'],
  ['spreadsheet', 'Hoja de cálculo'],
  ['presentation', 'Presentación'],
  ['wordprocessing', 'Documento'],
  ['opendocument.text', 'Documento'],
] as const;
