import { megabytesText } from '../../shared/number-texts.ts';

/** Texts that are needed only once a file has been chosen. */
export const uploadTexts = {
  failed: 'No se pudo subir la imagen.',
  tooLarge: (megabytes: number, maxMb: number) =>
    `La imagen pesa ${megabytesText(megabytes)}; el máximo es ${megabytesText(maxMb)}.`,
  empty: 'El archivo está vacío. Elige otra imagen.',
  unreadable: 'El archivo no se puede leer. Elige otra imagen.',
} as const;
