export type ImageKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';
export type FileKind = ImageKind | keyof typeof unsupported;

/** Why a file of each format is rejected, and which file to choose instead. */
export const unsupported = {
  svg: 'Los dibujos SVG no se admiten. Exporta el tuyo como PNG y elige ese archivo.',
  pdf: 'Un PDF no es una imagen. Guarda la página como JPEG o PNG y elige ese archivo.',
  heic: 'Las fotos HEIC no se admiten. Guarda o comparte la tuya como JPEG y elige esa copia.',
  tiff: 'Las imágenes TIFF no se admiten. Guarda la tuya como JPEG o PNG y elige esa copia.',
  bmp: 'Las imágenes BMP no se admiten. Guarda la tuya como PNG y elige esa copia.',
  video: 'Un vídeo no es una imagen. Haz una captura y elige ese archivo.',
  other: 'El archivo no es una imagen JPEG, PNG, WebP, GIF o AVIF completa. Elige otra imagen.',
} as const;

/** Number of bytes at the start of a file that `kindOf` needs. */
export const headBytes = 1024;

const signatures: [FileKind, RegExp][] = [
  ['jpeg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['pdf', /^%PDF/],
  ['tiff', /^(II\*|MM.\*)/s],
  ['bmp', /^BM/],
  ['svg', /<svg[\s>]/i],
];

/** The format of a file by its first bytes, regardless of its name and declared type. */
export function kindOf(head: Uint8Array): FileKind {
  const text = String.fromCharCode(...head);
  if (text.startsWith('ftyp', 4)) return kindOfMedia(text);
  return signatures.find(([, signature]) => signature.test(text))?.[0] ?? 'other';
}

export function isImage(kind: FileKind): kind is ImageKind {
  return !(kind in unsupported);
}

/** AVIF, HEIC and videos share a container format, whose first box lists the brands of the file. */
function kindOfMedia(text: string): FileKind {
  const brands = text.slice(8, text.charCodeAt(2) * 256 + text.charCodeAt(3));
  if (/avi[fs]/.test(brands)) return 'avif';
  return /hei|hev|mif1|msf1/.test(brands) ? 'heic' : 'video';
}
