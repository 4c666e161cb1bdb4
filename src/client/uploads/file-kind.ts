export type ImageKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';
/** Formats that are rejected with advice on what to choose instead. */
type UnsupportedKind = 'svg' | 'pdf' | 'heic' | 'tiff' | 'bmp' | 'video' | 'other';
export type FileKind = ImageKind | UnsupportedKind;

/** How many of a file's first bytes `kindOf` needs. */
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

/** AVIF, HEIC and videos share a container format, whose first box lists the brands of the file. */
function kindOfMedia(text: string): FileKind {
  const brands = text.slice(8, text.charCodeAt(2) * 256 + text.charCodeAt(3));
  if (/avi[fs]/.test(brands)) return 'avif';
  return /hei|hev|mif1|msf1/.test(brands) ? 'heic' : 'video';
}
