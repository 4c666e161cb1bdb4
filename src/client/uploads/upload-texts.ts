import { megabytesText } from '../../shared/number-texts.ts';

/** Texts that are needed only once a file has been chosen. */
export const uploadTexts = {
  failed: 'No se pudo subir la imagen.',
  tooLarge: (megabytes: number, maxMb: number) =>
    `La imagen pesa ${megabytesText(megabytes)}; el máximo es ${megabytesText(maxMb)}.`,
  empty: 'El archivo está vacío. Elige otra imagen.',
  unreadable: 'El archivo no se puede leer. Elige otra imagen.',

  /** Why a file is rejected, by its format. */
  unsupported: {
    svg: 'Los dibujos SVG no se admiten. Exporta el tuyo como PNG y elige ese archivo.',
    pdf: 'Un PDF no es una imagen. Guarda la página como JPEG o PNG y elige ese archivo.',
    heic: 'Las fotos HEIC no se admiten. Guarda o comparte la tuya como JPEG y elige esa copia.',
    tiff: 'Las imágenes TIFF no se admiten. Guarda la tuya como JPEG o PNG y elige esa copia.',
    bmp: 'Las imágenes BMP no se admiten. Guarda la tuya como PNG y elige esa copia.',
    video: 'Un vídeo no es una imagen. Haz una captura y elige ese archivo.',
    other: 'El archivo no es una imagen JPEG, PNG, WebP, GIF o AVIF completa. Elige otra imagen.',
  },
} as const;
